import type { Visit } from '#src/pages/visit.ts';
import { reportDone } from './toasts.ts';

/** As `reportDone`, with the operation by which the team can undo what the request has done: the toast has a button then. */
export function withUndo(visit: Visit, path: string): string {
  const { operation } = visit;
  const [page = '', hash] = path.split('#');
  const isUndoable = operation.isRecorded && /[?&]done=/.test(path);
  const undo = isUndoable ? `${page.includes('?') ? '&' : '?'}operation=${operation.id}` : '';
  return reportDone(visit, `${page}${undo}${hash ? `#${hash}` : ''}`);
}
