import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { makePng } from '../../../test/support/pictures.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { makeTestSender } from '../../../test/support/sender.ts';
import { until } from '../../../test/support/until.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { findUser } from '../../identity/users/users.ts';
import type { Db } from '../../platform/db/db.ts';
import { makeLog } from '../../platform/lib/log.ts';
import { ImportJobs } from './job-runner.ts';
import { cancelJob, findJob } from './jobs.ts';
import { findLastImport } from './past-imports.ts';
import { receiveExport } from './upload.ts';

async function makeJobs(app: TestApp) {
  await app.api.posts({}, { totalCount: true });
  const { db, clock, board } = app;
  const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'ada' });
  assert.ok(actor);
  const context: ActorContext = { db, clock, board, actor, baseUrl: 'http://board.test' };
  const folder = makeFileFolder(app.dataDir);
  const jobs = new ImportJobs(folder, makeLog('silent'), makeTestSender());
  const id = await receiveExport(context, folder, Readable.from([Buffer.from('title\nDark mode\nLight mode\n')]));
  await jobs.plan(context, { id, name: 'ideas.csv' });
  await ended(context);
  return { context, folder, jobs };
}

async function ended({ db, board }: ActorContext): Promise<string> {
  let outcome = '';
  await until('the job has ended', async () => {
    outcome = (await findJob(db.read, board.id))?.outcome ?? '';
    return outcome !== '';
  });
  return outcome;
}

/** The context of a job that is canceled while its first change is about to be made. */
function canceledAt(context: ActorContext, nth: number): ActorContext {
  const { db } = context;
  let begun = 0;
  const transaction: Db['transaction'] = async (work) => {
    if (++begun === nth) await cancelJob(context);
    return db.transaction(work);
  };
  return { ...context, db: { ...db, transaction } };
}

testBoth('a batch that was in flight when its import was canceled adds nothing', async (app) => {
  const { context, jobs } = await makeJobs(app);
  // The first transaction makes it the job of the board.
  await jobs.proceed(canceledAt(context, 2));
  assert.equal(await ended(context), 'CANCELED');
  await jobs.stop();
  const posts = await app.db.read.selectFrom('posts').select('id').execute();
  assert.deepEqual([posts, await findLastImport(context)], [[], null]);
});

testBoth('what an undo was about to remove when it was canceled stays', async (app) => {
  const { context, jobs } = await makeJobs(app);
  await jobs.proceed(context);
  assert.equal(await ended(context), 'DONE');
  await jobs.undo(canceledAt(context, 3));
  assert.equal(await ended(context), 'CANCELED');
  await jobs.stop();
  const posts = await app.db.read.selectFrom('posts').select('id').execute();
  assert.equal(posts.length, 2);
  assert.ok(await findLastImport(context));
});

testBoth('a job that was canceled downloads nothing more', async (app, t) => {
  const { context, folder, jobs } = await makeJobs(app);
  const picture = makePng(2, 2);
  const server = await startReceiver(t, async (_, response) => {
    await cancelJob(context);
    response.writeHead(200).end(picture);
  });
  const files = Array.from({ length: 5 }, (_, n) => ({ name: `${n}.png`, url: `${server.origin}/${n}` }));
  const lines = ['a', 'b'].map((id) => JSON.stringify({ row: 'post', id, title: id, files }));
  const id = await receiveExport(context, folder, Readable.from([Buffer.from(lines.join('\n'))]));
  await jobs.plan(context, { id, name: 'board.jsonl' });
  assert.equal(await ended(context), 'DONE');
  await jobs.proceed(context);
  assert.equal(await ended(context), 'CANCELED');
  await jobs.stop();
  assert.equal(server.received.length, 1);
  assert.deepEqual(await app.db.read.selectFrom('posts').select('id').execute(), []);
});
