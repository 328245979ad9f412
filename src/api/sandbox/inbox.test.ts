import assert from 'node:assert/strict';
import { test } from 'node:test';
import { START } from '../../../test/support/app.ts';
import { openTestStore } from '../../../test/support/store.ts';
import type { Dial, OutgoingRequest } from '../../webhooks/http/exchange.ts';
import { signatureHeaders } from '../../webhooks/signing/signature.ts';
import { listRequests, makeInbox, makeSandboxDial, sandboxSecrets } from './inbox.ts';
import { endSandbox, makeSandbox } from './sandbox.ts';

const clock = { now: () => START };
const baseUrl = 'http://board.test';
const outside: Dial = async ({ url }) => {
  throw new Error(`dialled ${url}`);
};

function makePost(url: string, body: string, secret: string): OutgoingRequest {
  const bytes = Buffer.from(body);
  const stamp = { id: '1', timestampSeconds: START / 1_000 };
  return { method: 'POST', url, headers: signatureHeaders(bytes, secret, stamp), body: bytes };
}

test('the inbox answers as a correct receiver does, and keeps what it got', async (t) => {
  const db = await openTestStore(t, 'sqlite');
  const inbox = makeInbox(db, clock, baseUrl);
  const dial = makeSandboxDial(inbox, outside);
  const [one, two] = [await makeSandbox({ db, clock, baseUrl }, 'a'), await makeSandbox({ db, clock, baseUrl }, 'b')];
  assert.ok('board' in one && 'board' in two);
  const url = inbox.urlOf(one.board.id);

  const asked = (token: string) => `${url}?hub.mode=subscribe&hub.challenge=c-1&hub.verify_token=${token}`;
  const verified = await dial({ method: 'GET', url: asked(sandboxSecrets.verifyToken), headers: {} });
  assert.deepEqual([verified.answer?.status, String(verified.answer?.body)], [200, 'c-1']);
  assert.equal((await dial({ method: 'GET', url: asked('wrong'), headers: {} })).answer?.status, 403);

  const delivered = await dial(makePost(url, '{"event":"post.created"}', sandboxSecrets.signingSecret));
  assert.equal(delivered.answer?.status, 200);
  assert.equal((await dial(makePost(url, '{}', 'wrong'))).answer?.status, 403);

  const kept = await listRequests(db.read, one.board.id, '');
  assert.deepEqual(
    kept.map(({ method, status, body }) => [method, status, body]),
    [
      ['GET', 200, ''],
      ['GET', 403, ''],
      ['POST', 200, '{"event":"post.created"}'],
      ['POST', 403, '{}'],
    ],
  );
  assert.match(JSON.parse(kept[2]?.headers ?? '')['X-Hub-Signature'], /^sha256=[0-9a-f]{64}$/);
  assert.deepEqual((await listRequests(db.read, one.board.id, kept[2]?.id ?? '')).length, 1);
  assert.deepEqual(await listRequests(db.read, two.board.id, ''), []);
});

test('the inbox keeps the last 50 requests, 32 KiB of each', async (t) => {
  const db = await openTestStore(t, 'sqlite');
  const inbox = makeInbox(db, clock, baseUrl);
  const sandbox = await makeSandbox({ db, clock, baseUrl }, 'a');
  assert.ok('board' in sandbox);
  const url = inbox.urlOf(sandbox.board.id);
  for (let n = 0; n < 60; n++) {
    await inbox.receive(makePost(url, `${n} ${'x'.repeat(40_000)}`, sandboxSecrets.signingSecret));
  }
  const kept = await listRequests(db.read, sandbox.board.id, '');
  assert.deepEqual([kept.length, kept[0]?.body.slice(0, 3), kept[0]?.body.length], [50, '10 ', 32_768]);
});

test('requests for a sandbox that has ended are not kept, and those to other addresses are sent there', async (t) => {
  const db = await openTestStore(t, 'sqlite');
  const inbox = makeInbox(db, clock, baseUrl);
  const dial = makeSandboxDial(inbox, outside);
  const sandbox = await makeSandbox({ db, clock, baseUrl }, 'a');
  assert.ok('board' in sandbox);
  const url = inbox.urlOf(sandbox.board.id);
  await endSandbox(db, sandbox.board.id);
  for (const gone of [url, inbox.urlOf('nobody'), inbox.urlOf('')]) {
    assert.equal((await dial(makePost(gone, '{}', sandboxSecrets.signingSecret))).answer?.status, 404, gone);
  }
  for (const elsewhere of ['http://board.test.example/api/v1/sandbox/inbox/1', `${baseUrl}/hook`]) {
    await assert.rejects(dial({ method: 'GET', url: elsewhere, headers: {} }), /dialled/);
  }
});
