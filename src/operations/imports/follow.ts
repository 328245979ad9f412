import { setTimeout as delay } from 'node:timers/promises';
import type { FileFolder } from '../../feedback/files/folder.ts';
import { requireBoard } from '../../identity/board/board.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { type ImportOptions, type ImportReport, importItems } from './import.ts';
import { ImportError, type ImportItems, type Problem, type SourceName } from './items.ts';
import { type Look, Memory } from './memory.ts';

/** The sources whose changes can be followed, by their APIs. */
export const followedSources = ['canny', 'fider', 'github'] as const satisfies readonly SourceName[];
export type FollowedSource = (typeof followedSources)[number];

/** Looks of which one goes through everything, where the others ask for what has changed. */
const WHOLE_EVERY = 15;
/** After that, everything is read again, such as votes that were withdrawn and given by someone else. */
const MEMORY_MS = DAY_MS;
/** Longest pauses: after a look that took long, and after one that failed. */
const MAX_REST_MS = 15 * MINUTE_MS;

type FollowOptions = {
  everyMs: number;
  folder: FileFolder;
  statuses?: ImportOptions['statuses'];
  /** Ends following, at the next point where nothing is half done. */
  stopping: AbortSignal;
  onRound: (report: ImportReport, round: number) => void;
  onProblem: (problem: Problem, round: number) => void;
  onProgress: (items: number) => unknown;
  /** Called when a look has failed and will be repeated. */
  onTrouble: (words: string, ms: number) => void;
};

/**
 * Imports a source and then, until it is told to stop, what is new and what changes there. What it knows of the source
 * beyond the board is in memory: started again, it looks through everything and adds what is missing.
 * @param open makes a look at the source
 * @throws ImportError if the first look fails
 */
export async function follow(
  context: RequestContext,
  source: FollowedSource,
  open: (look: Look) => ImportItems,
  options: FollowOptions,
): Promise<void> {
  const { everyMs, folder, statuses, stopping, onRound, onProblem, onTrouble, onProgress } = options;
  let [memory, began, failures] = [new Memory(), performance.now(), 0];
  for (let round = 0; !stopping.aborted; ) {
    if (performance.now() - began > MEMORY_MS) [memory, began] = [new Memory(), performance.now()];
    memory.begin();
    const start = performance.now();
    let restMs = everyMs;
    try {
      // The settings of the board may have changed.
      const board = await requireBoard(context.db.read, context.board.id);
      const report = await importItems(
        { ...context, board },
        source,
        open({ memory, isWhole: round % WHOLE_EVERY === 0 }),
        {
          isPlan: false,
          changes: 'TAKEN',
          folder,
          statuses,
          onProblem: (problem) => onProblem(problem, round),
          onProgress: (items) => {
            stopping.throwIfAborted();
            if (round === 0) return onProgress(items);
          },
        },
      );
      memory.keep();
      onRound(report, round);
      // Never more than half of the time is spent on reading.
      if (round > 0) restMs = Math.max(everyMs, Math.min(performance.now() - start, MAX_REST_MS));
      [failures, round] = [0, round + 1];
    } catch (error) {
      if (stopping.aborted) return;
      if (!(error instanceof ImportError) || round === 0) throw error;
      restMs = Math.max(everyMs, Math.min(everyMs * 2 ** failures++, MAX_REST_MS));
      onTrouble(error.message, restMs);
    }
    await delay(restMs, undefined, { signal: stopping }).catch(() => {});
  }
}
