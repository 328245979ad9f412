import { type DeletedView, deleteView, moveView, restoreView, stateOfView, updateView } from '../views/managing.ts';
import { readViews } from '../views/views.ts';
import type { Undoable } from './undoable.ts';

/** Views: created, changed, moved, deleted. */
export const view: Undoable<keyof DeletedView | 'exists'> = {
  words: {
    exists: 'creation or deletion',
    name: 'name',
    isShared: 'visibility',
    conditions: 'filter',
    position: 'order of the views',
    kind: 'settings',
    ownerId: 'settings',
  },
  async read(tx, context, id) {
    const row = (await readViews(tx, context)).find((one) => one.id === id);
    return row ? { exists: true, ...stateOfView(row) } : null;
  },
  async write(context, id, { exists, position, ...state }) {
    if (exists === false) return deleteView(context, id);
    if (exists) return restoreView(context, id, { ...state, position } as DeletedView);
    await updateView(context, id, state);
    if (position != null) await moveView(context, id, position as number);
  },
};
