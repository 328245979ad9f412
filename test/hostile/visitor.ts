import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

// A process of its own that looks at a server from another address, and at the memory of it, until it is told to stop. Then
// it says how long it waited for each answer, what went wrong, and how much memory the server has, had at most, and at least.

/** A visitor who waits longer has left. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 20;
const PATHS = ['/sign-in', '/healthz'];
const [port, pid, localAddress] = process.argv.slice(2);

function ask(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { port, host: '127.0.0.1', localAddress, path, agent: false, timeout: PATIENCE_MS },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    asking.once('timeout', () => asking.destroy(new Error('no answer')));
    asking.once('error', reject).end();
  });
}

function readResident(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

const times: number[] = [];
const problems: string[] = [];
let [most, least] = [0, Infinity];
let isAsked = false;
process.on('message', () => {
  isAsked = true;
});
process.on('disconnect', () => process.exit(0));
for (let n = 0; ; n++) {
  const path = PATHS[n % PATHS.length] ?? '/';
  const start = performance.now();
  try {
    const status = await ask(path);
    if (status !== 200) problems.push(`${path}: ${status}`);
  } catch (error) {
    problems.push(`${path}: ${error}`);
  }
  times.push(performance.now() - start);
  const resident = readResident();
  [most, least] = [Math.max(most, resident), Math.min(least, resident)];
  if (isAsked) {
    process.send?.({ times: times.splice(0), problems: problems.splice(0), resident, most, least });
    [most, least] = [0, Infinity];
    isAsked = false;
  }
  await delay(PAUSE_MS);
}
