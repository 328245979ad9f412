import { Logger, makeWorkerUtils, type Runner, run, type Task } from 'graphile-worker';
import { answerQuestions, type Committed, instant, keepPace, type Pace } from './answer.ts';
import { type Job, post } from './post.ts';
import { requireVariable } from './serve.ts';

/**
 * Graphile Worker as its manual tunes it for throughput: jobs fetched in batches and completed in batches. LATENCY=1
 * leaves both out, since a batch makes a job wait.
 */
const connectionString = requireVariable('DATABASE_URL');
const concurrentJobs = Number(requireVariable('IN_FLIGHT'));
const logger = new Logger(() => () => {});
const batching = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
const worker = { connectionString, concurrentJobs, logger, ...(process.env.LATENCY !== '1' && batching) };
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();
const deliverOne: Task = (payload) => post(payload as Job);
let runner: Runner | null = null;

await answerQuestions(
  'ready',
  {
    async enqueue(jobs: Job[]) {
      await utils.addJobs(jobs.map((payload) => ({ identifier: 'deliver', payload })));
    },
    async deliver() {
      runner = await run({ taskList: { deliver: deliverOne }, noHandleSignals: true, preset: { worker } });
    },
    rest: () => runner?.stop(),
    enqueueSteadily,
  },
  () => utils.release(),
);

async function enqueueSteadily({ job, ...pace }: Pace & { job: Job }): Promise<Committed[]> {
  return keepPace(pace, async (n) => {
    const eventId = `${job.eventId}-${n}`;
    await utils.addJob('deliver', { ...job, eventId });
    return [eventId, instant()];
  });
}
