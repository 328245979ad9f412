import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE_MS } from '../../src/platform/lib/clock.ts';
import { textOfMail } from '../support/sender.ts';
import { engines } from '../support/store.ts';
import { until } from '../support/until.ts';
import { makeTestWeb, PASSWORD, signUp, type TestWeb } from '../support/web.ts';

const ADA = 'ada@example.com';

/** Sends a form as a visitor of a network of their own. */
function postFrom(web: TestWeb, network: number, path: string, form: Record<string, string>) {
  const headers = { origin: 'http://board.test', 'x-forwarded-for': `198.51.${network >> 8}.${network & 255}` };
  return web.makeVisitor().post(path, form, headers);
}

const askToSignIn = (web: TestWeb, network: number, email = ADA) =>
  postFrom(web, network, '/sign-in', { intent: 'link', email, next: '/b/acme' });
const askToReset = (web: TestWeb, network: number) => postFrom(web, network, '/reset-password', { email: ADA });

async function listMails({ db }: TestWeb, recipient: string) {
  const rows = await db.read.selectFrom('mails').selectAll().where('recipient', '=', recipient).orderBy('id').execute();
  return rows.map((row) => ({ subject: row.subject, text: textOfMail(row) }));
}

/** Waits until so many of the mails that were requested are queued or left out. */
async function settle(web: TestWeb, requested: number, isOf: (mail: { recipient: string }) => boolean): Promise<void> {
  await until(`${requested} mails are queued or left out`, async () => {
    const queued = (await web.db.read.selectFrom('mails').select('recipient').execute()).filter(isOf);
    const left = web.logged.filter((line) => line.includes('A mail was not sent'));
    return queued.length + left.length === requested;
  });
}

const isAdas = ({ recipient }: { recipient: string }) => /^ada(\+x)?@/.test(recipient);

for (const engine of engines) {
  test(`networks together cannot flood an address with sign-in mails, and see no difference [${engine}]`, async (t) => {
    const web = await makeTestWeb(t, engine, { trustProxy: 1 });
    await signUp(web, 'Ada', ADA);
    await web.db.transaction((tx) => tx.deleteFrom('mails').execute());
    web.clock.advance(60 * MINUTE_MS);
    const seen = new Set<string>();
    for (let network = 0; network < 20; network++) {
      // What follows a + reaches the same mailbox.
      const { statusCode, headers, payload } = await askToSignIn(web, network, network % 2 ? ADA : 'ada+x@example.com');
      const cookies = [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.replace(/=[^;]*/, ''));
      seen.add(JSON.stringify([statusCode, headers.location, payload.length, cookies]));
    }
    await settle(web, 20, isAdas);
    const mails = [...(await listMails(web, ADA)), ...(await listMails(web, 'ada+x@example.com'))];
    assert.equal(mails.length, 5);
    assert.equal(seen.size, 1, [...seen].join('\n'));
    assert.match(web.logged.join(), /A mail was not sent: too many were requested to its address/);
    assert.doesNotMatch(web.logged.join(), /ada@/);

    // Ada asks, too, and gets none; the link that she has works, as long as she gets no other.
    web.clock.advance(29 * MINUTE_MS);
    await askToSignIn(web, 2_000);
    await settle(web, 21, isAdas);
    const kept = await listMails(web, ADA);
    const path = /http:\/\/board\.test(\S+)/.exec(kept.at(-1)?.text ?? '')?.[1] ?? '';
    const ada = web.makeVisitor();
    assert.equal((await ada.post(path, {})).statusCode, 302);
    assert.match((await ada.get('/b/acme')).payload, /Ada/);
    web.clock.advance(2 * MINUTE_MS);
    await askToSignIn(web, 3_000);
    await settle(web, 22, isAdas);
    assert.equal((await listMails(web, ADA)).length, kept.length + 1);
  });

  test(`a flood of one kind of mail does not keep back another, which has the same limit [${engine}]`, async (t) => {
    const web = await makeTestWeb(t, engine, { trustProxy: 1 });
    await signUp(web, 'Ada', ADA);
    await web.db.transaction((tx) => tx.deleteFrom('mails').execute());
    web.clock.advance(60 * MINUTE_MS);
    for (let network = 0; network < 8; network++) await askToSignIn(web, network);
    for (let network = 0; network < 8; network++) {
      const { statusCode, payload } = await askToReset(web, 100 + network);
      assert.deepEqual([statusCode, /Check your email/.test(payload)], [200, true]);
    }
    await settle(web, 16, isAdas);
    const subjects = (await listMails(web, ADA)).map(({ subject }) => subject);
    const count = (subject: string) => subjects.filter((each) => each === subject).length;
    assert.deepEqual([count('Your sign-in code'), count('Choose a new password')], [5, 5]);
  });

  test(`links to confirm an address do not flood it, and do not keep back its sign-in mails [${engine}]`, async (t) => {
    const web = await makeTestWeb(t, engine, { trustProxy: 1 });
    const victim = 'victim@example.com';
    for (let n = 0; n < 7; n++) {
      const eve = await signUp(web, `Eve${n}`);
      const form = { intent: 'email', email: victim, currentPassword: PASSWORD };
      const headers = { origin: 'http://board.test', 'x-forwarded-for': `203.0.113.${n}` };
      assert.equal((await eve.post('/b/acme/settings/account', form, headers)).statusCode, 200);
      web.clock.advance(1_000);
    }
    await settle(web, 7, ({ recipient }) => recipient === victim);
    assert.deepEqual(
      (await listMails(web, victim)).map(({ subject }) => subject),
      Array.from({ length: 5 }, () => 'Confirm your address'),
    );
    await askToSignIn(web, 5, victim);
    await settle(web, 8, ({ recipient }) => recipient === victim);
    assert.equal((await listMails(web, victim)).at(-1)?.subject, 'Your sign-in code');
  });
}
