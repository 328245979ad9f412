/**
 * Does something again and again, never twice at once.
 * @returns what ends it: a promise of the end of what is in progress
 */
export function repeat(everyMs: number, work: () => Promise<void>, onError: (error: unknown) => void) {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(work).catch(onError);
  }, everyMs);
  timer.unref();
  return (): Promise<void> => {
    clearInterval(timer);
    return running;
  };
}
