import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may hold up everything else in the process. */
const MAX_MS = 20;

/** For work in many small steps: called between them, it lets everything else have a turn once that is due. */
export function makeTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
