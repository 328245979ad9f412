import { PgBoss } from 'pg-boss';
import { answerQuestions, type Committed, instant, keepPace, type Pace } from './answer.ts';
import { type Job, post } from './post.ts';
import { requireVariable } from './serve.ts';

/**
 * pg-boss as fast as its options make it: woken by NOTIFY, a batch as large as may be in flight, and the next one as
 * soon as a batch was full. POLLING=1 leaves the NOTIFY out, with the shortest interval it allows.
 */
const isPolling = process.env.POLLING === '1';
const batchSize = Number(requireVariable('IN_FLIGHT'));
const QUEUE = 'deliveries';
const boss = new PgBoss({ connectionString: requireVariable('DATABASE_URL'), useListenNotify: !isPolling });
boss.on('error', (error) => console.error(error));
await boss.start();
await boss.createQueue(QUEUE, { notify: !isPolling });

await answerQuestions(
  'ready',
  {
    enqueue: (jobs: Job[]) =>
      boss
        .insert(
          QUEUE,
          jobs.map((data) => ({ data })),
        )
        .then(() => null),
    async deliver() {
      await boss.work<Job>(
        QUEUE,
        { batchSize, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
        async (jobs) => void (await Promise.all(jobs.map(({ data }) => post(data)))),
      );
    },
    rest: () => boss.offWork(QUEUE),
    enqueueSteadily,
  },
  () => boss.stop({ graceful: false }),
);

async function enqueueSteadily({ job, ...pace }: Pace & { job: Job }): Promise<Committed[]> {
  return keepPace(pace, async (n) => {
    const eventId = `${job.eventId}-${n}`;
    await boss.send(QUEUE, { ...job, eventId });
    return [eventId, instant()];
  });
}
