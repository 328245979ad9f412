import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Exchange, Fault } from '../http/exchange.ts';
import { sayDuration } from './faults.ts';
import { describeAttempt, type Outcome } from './outcome.ts';

const URL_SAVED = 'https://hooks.example.net/in?key=k1';
const SECRET = 'the signing secret';

type Given = { status?: number; headers?: Record<string, string>; body?: string | Buffer; firstByte?: number };

function answered({ status = 200, headers = {}, body = '', firstByte = 120 }: Given): Exchange {
  const answer: Answer = { status, headers: Object.entries(headers), body: Buffer.from(body), isCut: false };
  return { timings: { dns: 1, connect: 2, tls: 3, firstByte, total: firstByte + 1 }, answer };
}

function failed(fault: Fault, firstByte: number | null = null): Exchange {
  return { timings: { dns: 1, connect: null, tls: null, firstByte, total: 5_000 }, fault };
}

function describe(exchange: Exchange, isSigned = true): Outcome {
  return describeAttempt(exchange, { url: URL_SAVED, isSigned, isChat: false, secrets: [SECRET] });
}

test('every answer has its label and an explanation with the remedy', () => {
  const redirect = (location: string): Given => ({ status: 302, headers: { location } });
  const cases: [given: Given, kind: Outcome['kind'], word: string, sentence: RegExp][] = [
    [{}, 'delivered', 'delivered', /^It answered 200 after 120 ms\.$/],
    [{ firstByte: 4_960 }, 'delivered', 'delivered', /after 4\.96 s\. The limit of 5 s is near/],
    [{ status: 204 }, 'delivered', 'delivered, answered 204', /accepted, though 200 is what/],
    [
      { firstByte: 6_200 },
      'failed',
      'timed out after 5 s',
      /It answered 200 after 6\.2 s; the limit is 5 s: answer first/,
    ],
    [redirect('/new'), 'failed', 'redirected', /redirects to https:\/\/hooks\.example\.net\/new: enter that address/],
    [
      redirect('//u:p@www.example.org/x?a=%20b#c'),
      'failed',
      'redirected',
      /to https:\/\/www\.example\.org\/x\?a=%20b: enter/,
    ],
    [redirect('/users/sign_in?to=x'), 'failed', 'redirected', /redirects to a login page/],
    [redirect(URL_SAVED), 'failed', 'redirected', /redirects to its own address/],
    [redirect('file:///etc/passwd'), 'failed', 'redirected', /not http or https \(file:\)/],
    [redirect('http://['), 'failed', 'redirected', /something that is not an address: “http:\/\/\[”/],
    [redirect(''), 'failed', 'redirected', /a redirect without a target/],
    [{ status: 308 }, 'failed', 'redirected', /answered 308, a redirect without a target/],
    [{ status: 304 }, 'failed', 'answered 304', /must answer 200/],
    [{ status: 403 }, 'failed', 'signature refused', /answered 403 to a signed request.*bytes of the body/],
    [{ status: 401 }, 'failed', 'signature refused', /answered 401 to a signed request/],
    [
      { status: 401, headers: { 'www-authenticate': 'Basic realm=x' } },
      'failed',
      'answered 401',
      /asks for a login \(Basic\)/,
    ],
    [{ status: 404 }, 'failed', 'answered 404', /nothing at this path/],
    [{ status: 405 }, 'failed', 'answered 405', /does not accept POST at this path; it must accept GET/],
    [{ status: 410 }, 'gone', 'answered 410', /does not want any more events/],
    [{ status: 413 }, 'failed', 'answered 413', /too large/],
    [{ status: 415 }, 'failed', 'answered 415', /must accept Content-Type: application\/json/],
    [
      { status: 422, body: '{"error":"no such field"}' },
      'failed',
      'answered 422',
      /It wrote: “{"error":"no such field"}”\.$/,
    ],
    [{ status: 429 }, 'failed', 'answered 429', /too many requests/],
    [
      { status: 500, body: `secret ${SECRET} is wrong` },
      'failed',
      'answered 500',
      /its program failed.*“secret ••• is wrong”/,
    ],
    [{ status: 500, body: '<!doctype html><h1>Oops' }, 'failed', 'answered 500', /at this time\.$/],
    [{ status: 503 }, 'failed', 'answered 503', /a proxy in front of it/],
    [{ status: 101 }, 'failed', 'answered 101', /must answer 200/],
    [{ status: 999 }, 'failed', 'answered 999', /its program failed/],
  ];
  for (const [given, kind, word, sentence] of cases) {
    const outcome = describe(answered(given));
    assert.deepEqual([outcome.kind, outcome.word], [kind, word]);
    assert.match(outcome.sentence.text, sentence);
  }
  const unsigned = describe(answered({ status: 403 }), false);
  assert.equal(unsigned.word, 'answered 403');
  assert.match(unsigned.sentence.text, /if it expects a signature, enter its signing secret/);
});

test('every fault has its label and an explanation with the remedy', () => {
  const invalid = (reason: string): Fault => ({ kind: 'certificate not valid', reason });
  const otherHost =
    "Hostname/IP does not match certificate's altnames: Host: hooks.example.net. is not in the cert's altnames: DNS:example.org, DNS:*.example.org";
  const cases: [fault: Fault, word: string, sentence: RegExp][] = [
    [{ kind: 'address not allowed' }, 'address not allowed', /^hooks\.example\.net leads to a destination/],
    [{ kind: 'could not resolve host', host: 'hoks.example' }, 'could not resolve host', /hoks\.example was not found/],
    [{ kind: 'connection refused' }, 'connection refused', /Nothing is listening at hooks\.example\.net/],
    [{ kind: 'connection failed', reason: 'ECONNRESET' }, 'connection failed', /failed: ECONNRESET\./],
    [{ kind: 'timed out', phase: 'dns' }, 'timed out after 5 s', /name servers/],
    [{ kind: 'timed out', phase: 'connect' }, 'timed out after 5 s', /firewall/],
    [{ kind: 'timed out', phase: 'tls' }, 'timed out after 5 s', /TLS handshake/],
    [{ kind: 'timed out', phase: 'answer' }, 'timed out after 5 s', /not answer within 5 s: answer first/],
    [invalid(otherHost), 'TLS certificate not valid for host', /is for example\.org, \*\.example\.org, not for hooks/],
    [invalid('ERR_TLS_CERT_ALTNAME_INVALID'), 'TLS certificate not valid for host', /is not for hooks\.example\.net/],
    [invalid('certificate has expired'), 'TLS certificate expired', /renew it/],
    [invalid('CERT_NOT_YET_VALID'), 'TLS certificate not valid yet', /not valid yet/],
    [invalid('self-signed certificate'), 'TLS certificate not trusted', /self-signed/],
    [invalid('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'TLS certificate not trusted', /whole chain/],
    [invalid('certificate revoked'), 'TLS certificate not valid', /certificate revoked\.$/],
    [{ kind: 'tls failed', reason: 'wrong version number' }, 'TLS failed', /does not speak TLS/],
    [{ kind: 'tls failed', reason: 'tlsv1 alert protocol version' }, 'TLS failed', /enable TLS 1\.2 or 1\.3/],
    [{ kind: 'tls failed', reason: 'bad record mac' }, 'TLS failed', /bad record mac\.$/],
    [{ kind: 'answer not understood', reason: 'Invalid\r\nheader' }, 'answer not understood', /: Invalid header\./],
    [{ kind: 'connection closed' }, 'connection closed', /before it responded/],
  ];
  for (const [fault, word, sentence] of cases) {
    const outcome = describe(failed(fault));
    assert.deepEqual([outcome.kind, outcome.word], ['failed', word]);
    assert.match(outcome.sentence.text, sentence);
  }
  assert.equal(describe(failed({ kind: 'stopped' })).kind, 'released');
  assert.match(describe(failed({ kind: 'timed out', phase: 'answer' }, 1_200)).sentence.text, /began after 1\.2 s but/);
});

test('an explanation is one short line whatever the receiver sends', () => {
  const hostile = ['\u0000\u001b[31m\r\n\u202e', 'a'.repeat(1_000_000), '\ud800', '\u2028x\u2029', '🌒'.repeat(500)];
  for (const text of hostile) {
    const outcomes = [
      describe(answered({ status: 302, headers: { location: `https://x.example/${text}` } })),
      describe(answered({ status: 302, headers: { location: `http://[${text}` } })),
      describe(answered({ status: 302, headers: { location: `x:${text}` } })),
      describe(answered({ status: 500, body: text })),
      describe(answered({ status: 401, headers: { 'www-authenticate': text } })),
      describe(failed({ kind: 'certificate not valid', reason: text })),
      describe(failed({ kind: 'could not resolve host', host: text })),
    ];
    for (const { sentence } of outcomes) {
      assert.ok([...sentence.text].length < 500, sentence.text);
      assert.doesNotMatch(sentence.text, /[\p{C}\u2028\u2029]/u);
    }
  }
});

test('a body that is compressed or not text is not quoted', () => {
  const headers = { 'content-encoding': 'gzip' };
  assert.match(describe(answered({ status: 500, headers, body: 'xyz' })).sentence.text, /at this time\.$/);
  assert.match(describe(answered({ status: 400, body: Buffer.from([0xff, 0, 0x41]) })).sentence.text, /“\ufffd A”\.$/);
});

test('durations are read at a glance', () => {
  assert.deepEqual(
    [0.4, 119.6, 1_000, 5_040, 6_234, 61_000].map((ms) => sayDuration(ms).text),
    ['0 ms', '120 ms', '1 s', '5.04 s', '6.23 s', '61 s'],
  );
});
