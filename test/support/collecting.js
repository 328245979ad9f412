import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

// Loaded into the server before its program: it collects garbage when it is told to, so that what is left can be compared.
// Without types, because what removes them takes memory.
if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const Timeout = setTimeout(() => {}, 0).constructor;
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', async () => {
    // What is freed goes back to the system by and by.
    for (let n = 0; n < 5; n++) {
      collect();
      await delay(100);
    }
    const timers = queryObjects(Timeout);
    process.stdout.write(`collected ${JSON.stringify({ ...process.memoryUsage(), timers })}\n`);
  });
}
