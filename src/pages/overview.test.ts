import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { signUp, type TestWeb, testPages, type WebVisitor } from '../../test/support/web.ts';
import { makeId } from '../platform/lib/ids.ts';

const PAGE = '/b/acme/settings';

testPages('the overview has the address to share, and removes sample data at one click', async (web) => {
  const { db } = web;
  const olga = await web.makeMember('Olga', 'OWNER');
  const { payload: overview } = await olga.get(PAGE);
  assert.match(overview, /Share the address of your board:.*http[^<]*\/b\/acme</s);
  assert.match(overview, /aria-label="QR code of the board&#x27;s address"/);
  assert.doesNotMatch((await olga.get(PAGE)).payload, /Remove sample data/);
  await db.transaction((tx) => tx.updateTable('boards').set({ setup_step: 5 }).execute());
  await olga.post('/b/acme/setup/5', { intent: 'sample' });
  const { payload } = await olga.get(PAGE);
  assert.match(payload, /Remove sample data/);
  assert.match(payload, /<a href="\/b\/acme"[^>]*>Post your first idea/, 'other users posted those');
  const removed = await olga.post(`${PAGE}?index`, { intent: 'sample' });
  assert.match(String(removed.headers.location), /\?done=removed&operation=/);
  assert.doesNotMatch((await olga.get(PAGE)).payload, /Remove sample data/);
  const left = db.read.selectFrom('posts').select('id').where('date_deleted', 'is', null);
  assert.deepEqual(await left.execute(), []);
  assert.match((await olga.get(PAGE)).payload, /value="add-sample"/);
  await olga.post(`${PAGE}?index`, { intent: 'add-sample' });
  const again = (await olga.get(PAGE)).payload;
  assert.match(again, /Remove sample data/);
  assert.doesNotMatch(again, /value="add-sample"/);
});

testPages('without a mail server, the team page shows where invitations are', async (web) => {
  const olga = await web.makeMember('Olga', 'OWNER');
  assert.match((await olga.get(`${PAGE}/members`)).payload, /invitations are stored as files on the server/);
});

/** What a proxy passes on that does all that it must. */
const PROXIED = {
  host: 'board.test',
  'x-forwarded-for': '203.0.113.7',
  'accept-encoding': 'gzip',
  referer: 'http://board.test/b/acme',
};

/** Mail by a server, of which the pages show the host. */
const mail = {
  server: 'mail.board.test:465',
  from: 'Acme <ideas@board.test>',
  folder: '',
  domainIn: null,
  transport: { send: async () => {}, forget: async () => {}, close: () => {} },
};

testPages(
  'the overview names what is wrong between people and the board, with the line to change',
  async (web) => {
    const olga = await web.makeMember('Olga', 'OWNER');
    const read = async (headers: Record<string, string> = {}) => {
      const { rawPayload } = await olga.get(PAGE, { ...PROXIED, ...headers });
      const [, section = ''] =
        /(<section class="stack reach".*?<\/section>)/s.exec(gunzipSync(rawPayload).toString()) ?? [];
      const [shown = '', folded = ''] = section.split('<details class="fold">');
      return { shown, folded };
    };
    const healthy = await read();
    assert.match(healthy.shown, /How people reach this board.*Nothing wrong was found\./s);
    assert.doesNotMatch(healthy.shown, /<table/);
    assert.match(healthy.folded, /Visitor&#x27;s address.*<\/svg>Right<.*203\.0\.113\.7/s);
    assert.doesNotMatch(healthy.folded, />Wrong</);
    const broken = await read({ host: '127.0.0.1:4000', 'x-forwarded-for': '203.0.113.7, 10.0.0.9' });
    assert.match(broken.shown, /10\.0\.0\.9.*another proxy.*<code[^>]*>TRUST_PROXY=127\.0\.0\.1,10\.0\.0\.0\/8</s);
    assert.match(broken.shown, /127\.0\.0\.1:4000.*<code[^>]*>proxy_set_header Host \$http_host;</s);
    assert.match(broken.shown, /In other proxies.*Caddy.*header_up Host \{hostport\}/s);
    assert.equal(broken.shown.match(/<\/svg>Wrong</g)?.length, 2);
    await failMail(web);
    assert.match((await read()).shown, /Email.*Wrong.*mail\.board\.test:465.*failed: 535 no such user/s);
    await web.db.transaction((tx) => tx.updateTable('users').set({ locale: 'de' }).execute());
    const german = await read({ host: '127.0.0.1:4000' });
    assert.match(
      german.shown,
      /Wie dieses Board erreicht wird.*Host und Port.*Falsch.*Der Browser hat board\.test verlangt/s,
    );
  },
  { trustProxy: ['127.0.0.1'], mail },
);

/** The newest mail of the board could not be sent. */
async function failMail({ db, board, clock }: TestWeb): Promise<void> {
  const row = { subject: '', body: '', date_created: clock.now(), date_due: clock.now() };
  const failed = { state: 'waiting', tries: 1, last_error: '535 no such user' } as const;
  const mail = { board_id: board.id, id: makeId(), recipient: 'vic@board.test', ...row, ...failed };
  await db.transaction((tx) => tx.insertInto('mails').values(mail).execute());
}

testPages('who does not manage the board comes from its settings to their own', async (web) => {
  const placeOf = async (visitor: WebVisitor) => {
    const { statusCode, headers } = await visitor.get(PAGE);
    return [statusCode, headers.location];
  };
  assert.deepEqual(await placeOf(await signUp(web, 'Mia')), [302, `${PAGE}/profile`]);
  assert.deepEqual(await placeOf(await web.makeMember('Moe', 'MODERATOR')), [302, `${PAGE}/profile`]);
  assert.deepEqual(await placeOf(await web.makeMember('Olga', 'OWNER')), [200, undefined]);
  assert.match(String((await web.makeVisitor().get(PAGE)).headers.location), /^\/sign-in\?next=/);
});
