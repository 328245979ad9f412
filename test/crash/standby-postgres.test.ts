import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEnd } from '../support/cleanup.ts';
import { startPostgres } from '../support/postgres.ts';
import { makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { isAnswered } from '../support/waiting.ts';
import { prepareBoard } from './board.ts';
import { CREATE_COMMENT, CREATE_POST, makeClient, UPVOTE } from './client.ts';

const EVENTS = '{ events(limit: 100) { nodes { id post { title } } } }';
const EVENTS_OF = 'query($postId: String!) { post(id: $postId) { id events { nodes { id } } } }';
/** Well above what any of the requests takes when nothing holds it up. */
const WAIT_MS = 300;

test('while no synchronous standby answers, nothing is acknowledged or shown; afterwards all of it is, once', async (t) => {
  const postgres = await startPostgres();
  onEnd(t, () => postgres.remove());
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const place = { dataDir, databaseUrl: postgres.url };
  const { server, key } = await prepareBoard(t, place, 1);
  const client = makeClient(server.url, key);
  const send = (query: string, variables: Record<string, unknown> = {}, idempotencyKey?: string) =>
    client.send(query, variables, 'writer-0', idempotencyKey);
  const exportAs = async (format: string) =>
    (await fetch(`${server.url}/api/${format}?comments=true`, { headers: { apikey: key } })).text();
  const requireStandby = async (name: string) => {
    await postgres.run(`alter system set synchronous_standby_names = '${name}'`);
    await postgres.run('select pg_reload_conf()');
    await until('the setting counts', async () => {
      const [row] = await postgres.run<{ synchronous_standby_names: string }>('show synchronous_standby_names');
      return row?.synchronous_standby_names === name;
    });
  };
  const known = (await send(CREATE_POST, { title: 'Known', externalId: 'known' })).data?.createPost?.id;
  await send(CREATE_POST, { title: 'Known too' });
  await send(UPVOTE, { postId: known });

  await requireStandby('nobody');
  const create = { title: 'Waiting', text: 'Text', externalId: 'x' };
  const creating = send(CREATE_POST, create, 'k1');
  const commenting = send(CREATE_COMMENT, { postId: known, text: 'Waiting too' });
  await until('both are committed, and wait for the standby', async () => {
    const [row] = await postgres.run<{ n: string }>(
      "select count(*) as n from comments where text in ('Text', 'Waiting too')",
    );
    return row?.n === '2';
  });
  const waiting = {
    creating,
    commenting,
    'the same key': send(CREATE_POST, create, 'k1'),
    'the same externalId': send(CREATE_POST, { title: 'Again', externalId: 'x' }),
    events: send(EVENTS),
    'Post.events': send(EVENTS_OF, { postId: known }),
    csv: exportAs('csv'),
    jsonl: exportAs('jsonl'),
    'a vote that is there already': send(UPVOTE, { postId: known }),
  };
  for (const [name, answer] of Object.entries(waiting)) {
    assert.equal(await isAnswered(answer, WAIT_MS), false, `${name} was answered without a standby`);
  }
  const reading = await send('{ board { id } posts { nodes { id } } events(limit: 1) { nodes { id } } }');
  assert.deepEqual(reading.errors, [], 'what needs no standby is answered');

  const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
  await until('the server says that it is not ready', async () => (await readiness()) === 503);

  await requireStandby('');
  const made = (await creating).data?.createPost;
  assert.equal(made?.title, 'Waiting');
  assert.deepEqual((await waiting['the same key']).data?.createPost, made);
  assert.equal((await waiting['the same externalId']).data?.createPost?.id, made?.id);
  assert.deepEqual((await waiting['a vote that is there already']).errors, []);
  for (const file of [await waiting.csv, await waiting.jsonl]) assert.match(file, /Waiting too/);
  for (const answer of [waiting.events, waiting['Post.events'], commenting])
    assert.deepEqual((await answer).errors, []);
  const { events } = (await send(EVENTS)).data as unknown as { events: { nodes: { id: string }[] } };
  assert.equal(events.nodes.length, 4);
  await until('the server is ready again', async () => (await readiness()) === 200);
});
