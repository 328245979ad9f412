import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startReceiver } from '../../../test/support/receiver.ts';
import { makeTestSender } from '../../../test/support/sender.ts';
import { makeVerificationUrl, type Verification, verify } from './verify.ts';

const TOKEN = 'a verify+token/ü "1"';

type Asked = { challenge: string; query: URLSearchParams; url: string };
type Answering = (response: ServerResponse, asked: Asked) => unknown;

/** Verifies a receiver that answers in a way. */
async function verifyAgainst(
  t: TestContext,
  answer: Answering,
  options: { token?: string | null; path?: string; deadlineMs?: number | undefined } = {},
) {
  const { origin, received } = await startReceiver(t, ({ url }, response) => {
    const query = new URL(url, 'http://receiver').searchParams;
    answer(response, { challenge: query.get('hub.challenge') ?? '', query, url });
  });
  const verifyToken = options.token === undefined ? TOKEN : options.token;
  const url = origin + (options.path ?? '/in');
  const verification = await verify(makeTestSender(options.deadlineMs).dial, {
    url,
    verifyToken,
    version: '1.2.3',
    randomBytes,
  });
  return { verification, received, origin };
}

test('a receiver that knows the token and answers with the challenge is verified', async (t) => {
  const { verification, received } = await verifyAgainst(t, (response, { query, challenge }) => {
    const isRight = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === TOKEN;
    response.writeHead(isRight ? 200 : 403).end(challenge);
  });
  assert.deepEqual([verification.kind, verification.word], ['verified', 'verified']);
  assert.equal(received[0]?.method, 'GET');
  assert.equal(received[0]?.headers['user-agent'], 'Earshot/1.2.3');
  assert.match(
    received[0]?.url ?? '',
    /^\/in\?hub\.mode=subscribe&hub\.challenge=[\w-]{43}&hub\.verify_token=a%20verify/,
  );
});

test('whitespace around the challenge is ignored, and so are its type and chunks', async (t) => {
  const { verification } = await verifyAgainst(t, (response, { challenge }) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.write(` \t\r\n${challenge.slice(0, 10)}`);
    response.end(`${challenge.slice(10)}\n`);
  });
  assert.equal(verification.kind, 'verified');
});

test('every verification has its own challenge, and no token when none is configured', async (t) => {
  const seen = new Set<string>();
  for (const token of [null, '']) {
    const { verification } = await verifyAgainst(
      t,
      (response, { query, challenge }) => {
        seen.add(challenge);
        response.writeHead(query.has('hub.verify_token') ? 403 : 200).end(challenge);
      },
      { token },
    );
    assert.equal(verification.kind, 'verified');
  }
  assert.equal(seen.size, 2);
});

test('the query of the endpoint is kept byte for byte', () => {
  const ours = 'hub.mode=subscribe&hub.challenge=c';
  const cases: [url: string, asked: string][] = [
    ['https://a.example', `https://a.example?${ours}`],
    ['https://a.example/x', `https://a.example/x?${ours}`],
    ['https://a.example/x?', `https://a.example/x?${ours}`],
    ['https://a.example/x?a=%2f+b&&c', `https://a.example/x?a=%2f+b&&c&${ours}`],
    ['https://a.example/x?a&', `https://a.example/x?a&${ours}`],
    ['https://a.example/x?a#b?c', `https://a.example/x?a&${ours}`],
    ['https://a.example/x#b?c', `https://a.example/x?${ours}`],
    ['https://a.example/ü?hub.topic=x', `https://a.example/ü?hub.topic=x&${ours}`],
  ];
  for (const [url, asked] of cases) assert.equal(makeVerificationUrl(url, 'c', null), asked);
  assert.equal(makeVerificationUrl('https://a.example', 'c', '%20'), `https://a.example?${ours}&hub.verify_token=%20`);
});

test('every mistake in the answer is named, with its remedy', async (t) => {
  const html = { 'Content-Type': 'text/html' };
  const cases: [answer: Answering, word: string, reason: RegExp][] = [
    [
      (r, { challenge }) => r.end(JSON.stringify(challenge)),
      'answered 200 with quotes',
      /inside JSON quotes: answer with the bare/,
    ],
    [
      (r, { challenge }) => r.end(JSON.stringify({ challenge })),
      'answered 200 with JSON',
      /inside JSON: answer with the bare/,
    ],
    [
      (r, { query }) => r.end(JSON.stringify(Object.fromEntries(query))),
      'answered 200 with the whole query',
      /the whole query/,
    ],
    [(r, { url }) => r.end(url), 'answered 200 with the whole query', /the whole query/],
    [
      (r, { challenge }) => r.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(challenge)),
      'answered 200 but compressed',
      /\(gzip\): send this one uncompressed/,
    ],
    [
      (r) => r.writeHead(200, html).end('<html><title>Log in\n to X</title>'),
      'answered 200 with a web page',
      /a web page \(“Log in to X”\): enter/,
    ],
    [
      (r, { challenge }) => r.writeHead(200, html).end(`<p>${challenge}</p>`),
      'answered 200 with a web page',
      /inside a web page/,
    ],
    [(r) => r.end(), 'answered 200 with an empty body', /is empty: answer with the bare/],
    [(r) => r.end(' \n'), 'answered 200 with an empty body', /is empty/],
    [(r, { challenge }) => r.end(`\ufeff${challenge}`), 'answered 200 with a byte order mark', /leave it out/],
    [
      (r, { challenge }) => r.end(`\u00a0${challenge}`),
      'answered 200 with other text',
      /other text besides the challenge/,
    ],
    [
      (r, { challenge }) => r.end(`challenge=${challenge}`),
      'answered 200 with other text',
      /other text besides the challenge/,
    ],
    [(r, { challenge }) => r.end(challenge.slice(0, 32)), 'answered 200 with a cut body', /32 of 43 characters/],
    [
      (r, { challenge }) => r.end(challenge.toUpperCase()),
      'answered 200 with a changed challenge',
      /exactly as it came/,
    ],
    [(r) => r.end(randomBytes(32).toString('base64url')), 'answered 200 with an old challenge', /turn off caching/],
    [
      (r, { query }) => r.end(query.get('hub.verify_token')),
      'answered 200 with the verify token',
      /sent back the verify token/,
    ],
    [(r) => r.end('OK'), 'answered 200 with another body', /“OK” instead of the challenge.*wrong verify token/],
    [(r, { challenge }) => r.write(challenge), 'answered 200 without an end', /end the body after it/],
    [(r, { challenge }) => r.end(`${challenge}${' '.repeat(20_000)}`), 'answered 200 without an end', /end the body/],
    [
      (r, { challenge }) => r.writeHead(201).end(challenge),
      'answered 201',
      /right challenge but with status 201: answer 200/,
    ],
    [(r) => r.writeHead(204).end(), 'answered 204', /answered 204, which does not prove/],
    [
      (r) => r.writeHead(302, { Location: 'https://www.example.org/in' }).end(),
      'redirected',
      /to https:\/\/www\.example\.org\/in: enter/,
    ],
    [
      (r, { url }) => r.writeHead(301, { Location: url.replace('/in', '/in/') }).end(),
      'redirected',
      /:\d+\/in\/: enter that address/,
    ],
    [(r) => r.writeHead(403).end(), 'verify token refused', /probably the verify token/],
    [(r) => r.writeHead(401).end(), 'verify token refused', /answered 401: probably the verify token/],
    [(r) => r.writeHead(404).end('Cannot GET /in'), 'answered 404', /nothing at this path.*“Cannot GET \/in”/],
    [(r) => r.writeHead(405).end(), 'answered 405', /does not accept GET at this path/],
    [(r, { query }) => r.writeHead(400).end(`bad ${query.get('hub.verify_token')}`), 'answered 400', /“bad •••”/],
    [(r) => r.writeHead(500).end(), 'answered 500', /its program failed/],
    [() => {}, 'timed out after 5 s', /not answer within 5 s/],
    [(r) => r.destroy(), 'connection closed', /closed the connection/],
  ];
  await Promise.all(
    cases.map(async ([answer, word, reason]) => {
      const isEndless = /without an end|timed out/.test(word);
      const { verification } = await verifyAgainst(t, answer, { deadlineMs: isEndless ? 2_000 : undefined });
      assert.deepEqual([verification.kind, verification.word], ['failed', word]);
      assert.match(verification.reason.text, reason);
      assertHidden(verification);
    }),
  );
});

test('a refusal without a token asks whether there should be one', async (t) => {
  const { verification } = await verifyAgainst(t, (r) => r.writeHead(403).end(), { token: null });
  assert.equal(verification.word, 'answered 403');
  assert.match(verification.reason.text, /if it expects a verify token, enter the same one here/);
});

test('parameters of the endpoint that look like ours stay, and are named when the verification fails', async (t) => {
  const path = '/in?hub.topic=t&hub.challenge=mine#hub.mode';
  const { verification, received } = await verifyAgainst(t, (r, { challenge }) => r.end(challenge), { path });
  assert.match(
    received[0]?.url ?? '',
    /^\/in\?hub\.topic=t&hub\.challenge=mine&hub\.mode=subscribe&hub\.challenge=[\w-]{43}&/,
  );
  assert.match(
    verification.reason.text,
    /already has a parameter hub\.challenge, which could be confused with the one that Earshot adds: remove it/,
  );
  const quiet = await verifyAgainst(t, (r) => r.end(), { path: '/in?hub.modes&xhub.mode#?hub.mode&hub.mode=1' });
  assert.doesNotMatch(quiet.verification.reason.text, /of its own/);
  const last: Answering = (r, { query }) => r.end(query.getAll('hub.challenge').at(-1));
  assert.equal((await verifyAgainst(t, last, { path })).verification.kind, 'verified');
});

test('request and answer are shown without the token, whatever the receiver repeats', async (t) => {
  const path = `/in?copy=${encodeURIComponent(TOKEN)}`;
  const echo: Answering = (r, { url, query }) => {
    r.writeHead(302, { Location: url, 'X-Token': encodeURIComponent(TOKEN) }).end(`\u00ff ${url} ${query.get('copy')}`);
  };
  const { verification } = await verifyAgainst(t, echo, { path });
  assertHidden(verification);
  assert.match(
    verification.request.url,
    /\/in\?copy=•••&hub\.mode=subscribe&hub\.challenge=[\w-]{43}&hub\.verify_token=•••$/,
  );
  assert.match(Buffer.from(verification.exchange.answer?.body ?? []).toString(), /^ÿ \/in\?copy=\*\*\*&hub\.mode/);
});

test('a verification that the server stops is no result about the receiver', async (t) => {
  const stop = new AbortController();
  const { origin } = await startReceiver(t, () => stop.abort());
  const question = { url: origin, verifyToken: null, version: '1', randomBytes };
  assert.equal((await verify(makeTestSender().dial, question, stop.signal)).kind, 'stopped');
});

test('a right answer after the limit is too late', async () => {
  const timings = { dns: null, connect: null, tls: null, firstByte: 5_900, total: 6_200 };
  const body = Buffer.from(Buffer.alloc(32).toString('base64url'));
  const late = async () => ({ timings, answer: { status: 200, headers: [], body, isCut: false } });
  const question = { url: 'https://a.example', verifyToken: null, version: '1', randomBytes: Buffer.alloc };
  assert.match((await verify(late, question)).reason.text, /answered 200 after 6\.2 s; the limit is 5 s/);
});

function assertHidden(verification: Verification): void {
  const body = Buffer.from(verification.exchange.answer?.body ?? []).toString();
  const shown = JSON.stringify(verification) + body;
  for (const form of [TOKEN, encodeURIComponent(TOKEN), 'a+verify', 'a%20verify', 'a verify+']) {
    assert.ok(!shown.includes(form), `${form} in ${shown}`);
  }
}
