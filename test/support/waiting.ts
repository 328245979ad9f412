import { setTimeout as delay } from 'node:timers/promises';

/** Whether an answer is there within some milliseconds; a failure counts as one. */
export async function isAnswered(answer: Promise<unknown>, withinMs: number): Promise<boolean> {
  const settled = answer.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, delay(withinMs, false)]);
}
