import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { answering, OK } from '../../../test/support/dialler.ts';
import { readCertificate, startReceiver } from '../../../test/support/raw-receiver.ts';
import { until } from '../../../test/support/until.ts';
import { makeAddressRules } from './address.ts';
import { makeAgents } from './agents.ts';
import { parseEndpoint } from './endpoint.ts';
import type { OutgoingRequest } from './exchange.ts';
import { MAX_BODY_BYTES, send } from './send.ts';

const rules = makeAddressRules(['127.0.0.0/8']);

function transmissionTo(url: string, agent: Agent, addresses = ['127.0.0.1']) {
  const { endpoint } = parseEndpoint(url, rules);
  assert.ok(endpoint);
  const request: OutgoingRequest = { method: 'POST', url, headers: {}, body: Buffer.from('{}') };
  return { request, endpoint, addresses, agent, maxBodyBytes: MAX_BODY_BYTES, onPhase: () => {} };
}

test('a connection that ends up elsewhere than it was meant to gets no byte of the request', async (t) => {
  const receiver = await startReceiver(t, answering(OK));
  const agent = new Agent();
  agent.createConnection = () => connect(receiver.port, '127.0.0.1');
  const url = `http://hooks.example.com:${receiver.port}/`;
  const outcome = await send(transmissionTo(url, agent, ['127.0.0.2', '127.0.0.3'])).outcome;
  assert.deepEqual(outcome, { fault: { kind: 'address not allowed' } });
  assert.deepEqual([receiver.connections(), receiver.requests.length], [1, 0]);
});

test('the next address is tried when the first refuses', async (t) => {
  const receiver = await startReceiver(t, answering(OK));
  const agent = makeAgents(undefined).kept.http;
  const url = `http://hooks.example.com:${receiver.port}/`;
  const outcome = await send(transmissionTo(url, agent, ['127.0.0.2', '127.0.0.1'])).outcome;
  assert.ok(typeof outcome === 'object' && 'answer' in outcome);
  assert.equal(outcome.answer.status, 200);
});

test('a kept TLS connection that is closed at the next request is distinguished from a fault', async (t) => {
  const pem = readCertificate('good');
  const receiver = await startReceiver(t, {
    tls: { key: pem, cert: pem },
    answer: (socket) => (receiver.requests.length === 1 ? socket.write(OK) : socket.destroy()),
  });
  const agent = makeAgents(readCertificate('authority')).kept.https;
  const url = `https://hooks.example.com:${receiver.port}/`;
  const outcomes = [];
  for (let n = 0; n < 3; n += 1) outcomes.push(await send(transmissionTo(url, agent)).outcome);
  const [first, second, third] = outcomes;
  assert.ok(typeof first === 'object' && 'answer' in first);
  assert.equal(second, 'stale');
  assert.deepEqual(third, { fault: { kind: 'connection closed' } });
});

test('connections that are kept are few for one host and not many for all', async (t) => {
  const receiver = await startReceiver(t, answering(OK));
  const agent = makeAgents(undefined).kept.http;
  const sendTo = (host: string) => send(transmissionTo(`http://${host}:${receiver.port}/`, agent)).outcome;
  await Promise.all(Array.from({ length: 40 }, () => sendTo('one.example')));
  await until('few are open', () => receiver.open() <= 8);
  for (let n = 0; n < 300; n += 1) await sendTo(`host${n}.example`);
  await until('not many are open', () => receiver.open() <= 256);
});
