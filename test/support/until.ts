import { setTimeout as delay } from 'node:timers/promises';

/** How long a test waits for what must come: far longer than it takes, also on a machine that is slow and busy. */
export const PATIENCE_MS = 60_000;

/** Between two looks: more the longer it takes, because a look can be work for a server that is busy. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * Waits for a condition by looking again and again.
 * @param longestPauseMs between two looks; shorter for what is soon over
 * @throws when it is not met in time
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = PATIENCE_MS,
  longestPauseMs = LONGEST_PAUSE_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (let pause = FIRST_PAUSE_MS; !(await condition()); pause = Math.min(pause * 1.2, longestPauseMs)) {
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${what}`);
    await delay(pause);
  }
}
