import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventSource } from 'eventsource';
import { onEnd } from '../support/cleanup.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { CREATE_POST, makeClient, UPVOTE } from './client.ts';
import { ADMIN } from './load.ts';
import { startServer } from './server.ts';

test('an open page gets votes that another process has counted, also after its own was restarted', async (t) => {
  const place = await makeStorePlace(t, 'postgres');
  const { server, key } = await prepareBoard(t, place, 2);
  const { send } = makeClient(server.url, key);
  const { data } = await send(CREATE_POST, { title: 'Dark mode' }, ADMIN);
  const { id: postId = '' } = data?.createPost ?? {};
  const { pid } = await withReader(place, (reader) =>
    reader.selectFrom('boards').select('pid').executeTakeFirstOrThrow(),
  );
  const other = await startServer(t, place);
  const page = new EventSource(`${other.url}/b/${pid}/live?posts=1`);
  onEnd(t, () => page.close());
  const votes: number[] = [];
  page.addEventListener('message', (message) => votes.push(JSON.parse(message.data).votes));
  await until('the page has the post', () => votes.length === 1);
  await send(UPVOTE, { postId }, ADMIN);
  await until('the vote has come', () => votes.length === 2);
  await other.stop();
  await send(UPVOTE, { postId }, 'writer-0');
  await startServer(t, place, { port: Number(new URL(other.url).port) });
  await until('the page has caught up', () => votes.length === 3);
  assert.deepEqual(votes, [0, 1, 2]);
});
