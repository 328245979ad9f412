/** What must be undone when the run ends, however it ends. */
const tasks: (() => unknown)[] = [];

/** Runs `task` at the end of the run, the last one added first. */
export function atEnd(task: () => unknown): void {
  tasks.push(task);
}

let cleaning: Promise<void> | null = null;

/** Undoes everything, once: processes end, temporary folders and databases go. */
export function cleanUp(): Promise<void> {
  cleaning ??= runTasks();
  return cleaning;
}

/** A task that fails does not stop the others. */
async function runTasks(): Promise<void> {
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    try {
      await task();
    } catch (error) {
      console.error(`While cleaning up: ${(error as Error).message}`);
    }
  }
}

/** Cleans up when the run is interrupted. */
export function cleanUpOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
  }
}
