import assert from 'node:assert/strict';
import { testBoth } from '../test/support/app.ts';
import { onEnd } from '../test/support/cleanup.ts';
import { makeTestSender } from '../test/support/sender.ts';
import { startBackground } from './background.ts';
import { removeOldEvents } from './events/retention.ts';
import { purgeFilesOfComments, purgePosts } from './feedback/lifecycle/purge.ts';
import { forgetNotices } from './feedback/notifying/forgetting.ts';
import { forgetOperations } from './identity/activity/activity.ts';
import { forgetOldUsage } from './identity/keys/usage.ts';
import { forgetJobs } from './operations/imports/jobs.ts';
import type { Db } from './platform/db/db.ts';
import { makeLog } from './platform/lib/log.ts';
import { makeTransport } from './platform/mail/transport.ts';
import { makeMetrics } from './platform/metrics/metrics.ts';

const COMMENT = 'mutation($id: String!) { createComment(postId: $id, text: "Hi") { id } }';
const TAG = 'mutation { createTag(name: "Design") { id } }';

testBoth('work that finds nothing to do begins no transaction, and so has no trace', async (app, t) => {
  const { clock, dataDir } = app;
  let begun = 0;
  const db: Db = {
    ...app.db,
    transaction(work) {
      begun++;
      return app.db.transaction(work);
    },
  };
  const baseUrl = 'http://board.test';
  const transport = makeTransport({ smtpUrl: null, mailFrom: 'board@acme.example', dataDir });
  const deps = { db, clock, log: makeLog('silent'), metrics: makeMetrics(), sender: makeTestSender(), transport };
  const background = startBackground({ ...deps, config: { baseUrl, dataDir } });
  onEnd(t, () => background.stop());
  await app.makeUser('mod', 'MODERATOR');
  await app.ask(COMMENT, { id: await app.makePost('Post', { as: 'mod' }) });
  await app.ask(TAG);
  await background.settled();
  assert.ok(begun > 0, 'the new comment is a reason for a transaction');
  begun = 0;
  await background.settled();
  const now = clock.now();
  await purgePosts({ ...deps, baseUrl });
  await purgeFilesOfComments(deps);
  await forgetNotices(db, now);
  await forgetOperations(db, now);
  await forgetJobs(db, now);
  await forgetOldUsage(db, now);
  await removeOldEvents(db, now, 1);
  assert.equal(begun, 0);
});
