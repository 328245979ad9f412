import assert from 'node:assert/strict';
import { createField } from '../../src/feedback/fields/managing.ts';
import { findBoard } from '../../src/identity/board/board.ts';
import { createUser } from '../../src/identity/users/users.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import type { CommandLine } from './command-line.ts';
import type { Exported } from './exported.ts';

/** Ideas with values for the fields of `addFields`, of which two are wrong. */
export const FIELDS_CSV = 'Title,Squad,Size,Where\nDark mode,Web,3.50,"ios, Android"\nExport,Web,much,Mars\nPlain,,,\n';
export const FIELDS_MAP = ['--map', 'field team=Squad,field Effort=Size,field Platforms=Where'];

/** A text, a number, and options of which an idea may have several. */
export async function addFields({ place }: CommandLine, board: string): Promise<void> {
  const db = openDb(place);
  try {
    const found = (await findBoard(db.read, board)) ?? assert.fail('no board');
    const context = { db, clock: systemClock, baseUrl: 'http://localhost', board: found };
    const actor = await createUser(context, { ssoType: 'SSO', ssoId: 'boss' }, {});
    const admin = { ...context, actor: { ...actor, role: 'ADMIN' as const } };
    await createField(admin, { label: 'Team', type: 'TEXT' });
    await createField(admin, { label: 'Effort', type: 'NUMBER' });
    await createField(admin, {
      label: 'Platforms',
      type: 'SELECTION_MULTI',
      options: [{ name: 'iOS' }, { name: 'Android' }],
    });
  } finally {
    await db.close();
  }
}

/** The values of fields of each idea, by their names. */
export function valuesOf(rows: readonly Exported[]) {
  type Values = { label: string; values: string[]; names?: string[] };
  const posts = rows.filter(({ row }) => row === 'post');
  return posts.map(({ title, properties }) => [
    title,
    Object.fromEntries((properties as Values[]).map(({ label, names, values }) => [label, names ?? values])),
  ]);
}
