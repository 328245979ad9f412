/** A line that shows progress. */
export type ProgressBar = { show(done: number): void; end(): void };

const WIDTH = 30;
/** How often it is drawn; a faster rate would not be visible. */
const INTERVAL_MS = 100;

/** A bar on a terminal; nothing in a log or a pipe. */
export function makeProgressBar(stream: NodeJS.WriteStream, all: number, what: string): ProgressBar {
  let drawnAt = -Infinity;
  let last = 0;
  const draw = () => {
    const part = all === 0 ? 1 : Math.min(1, last / all);
    const bar = '#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '-');
    const [done, total] = [last, all].map((count) => count.toLocaleString('en'));
    stream.write(`\r[${bar}] ${Math.floor(part * 100)} %, ${done} of ${total} ${what}`);
  };
  return {
    show(done) {
      last = done;
      if (!stream.isTTY || performance.now() - drawnAt < INTERVAL_MS) return;
      drawnAt = performance.now();
      draw();
    },
    end() {
      if (!stream.isTTY) return;
      draw();
      stream.write('\n');
    },
  };
}
