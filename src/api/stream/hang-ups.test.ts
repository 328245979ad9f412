import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { testBoth } from '../../../test/support/app.ts';
import { until } from '../../../test/support/until.ts';

const USERS = 60;
const ROUNDS = 4;

testBoth('a client that hangs up while its stream begins leaves no trace', async (app) => {
  const { port } = new URL(await app.app.listen({ port: 0, host: '127.0.0.1' }));
  for (let n = 0; n < USERS; n++) await app.makeUser(`user-${n}`);
  const hangUp = (n: number) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      const path = n % 2 === 0 ? '/api/v1/events' : '/api/v1/graphql?query=subscription{events{id}}';
      const headers = `apikey: ${app.key}\r\nssotype: SSO\r\nssoid: user-${n}\r\naccept: text/event-stream`;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n\r\n`);
      setTimeout(() => socket.destroy(), 2 + (n % 8));
    });
    socket.on('error', () => {});
  };
  const countStreams = async () => {
    const { body } = await app.app.inject('/metrics');
    return Number(/^earshot_streams (\d+)$/m.exec(body)?.[1]);
  };
  for (let round = 0; round < ROUNDS; round++) {
    app.clock.advance(5_000); // users are read again every three seconds
    for (let n = 0; n < USERS; n++) hangUp(n);
    await delay(500);
  }
  await until('no stream is left', async () => (await countStreams()) === 0);
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/events`, { headers: { apikey: app.key } });
  assert.equal(answer.status, 200);
  await until('the new one is counted', async () => (await countStreams()) === 1);
  await answer.body?.cancel();
  assert.deepEqual(app.logged, []);
});
