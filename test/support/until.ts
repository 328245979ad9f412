import { setTimeout as delay } from 'node:timers/promises';

/** How long a test waits for what must come: far longer than it takes, also on a machine that is slow and busy. */
export const PATIENCE_MS = 60_000;

/**
 * Waits for a condition by looking again and again.
 * @throws when it is not met in time
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${what}`);
    await delay(5);
  }
}
