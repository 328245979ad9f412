import assert from 'node:assert/strict';
import { MINUTE_MS } from '../../src/platform/lib/clock.ts';
import { decryptBody } from '../../src/platform/mail/mails.ts';
import { publishNew } from '../support/changelog.ts';
import { PNG, upload } from '../support/files.ts';
import { listPaths } from '../support/page-paths.ts';
import { testCipher } from '../support/sender.ts';
import { readMail, signUp, type TestWeb, testWeb, type WebVisitor } from '../support/web.ts';

/** What nothing that outsiders get may contain: the name of the board, its color and every text on it. */
const SECRETS = ['Quagga', 'Okapi', 'Bongo', 'Dikdik', 'Gerenuk', '7a1f5b', 'logo.png'];

type Told = { status: number; text: string };

/** Everything that a visitor gets by a path: as a page, as its data, as its head, and in answer to a form. */
async function ask(visitor: WebVisitor, path: string): Promise<Record<string, Told>> {
  const form = { intent: 'save', title: 'x', text: 'x', comment: 'x', vote: 'up', next: path, name: 'x' };
  const answers = {
    page: await visitor.get(path),
    german: await visitor.get(path, { 'accept-language': 'de' }),
    'own host': await visitor.get(path, { host: 'ideas.example.com' }),
    data: await visitor.get(path === '/' ? '/_root.data' : `${path}.data`),
    head: await visitor.head(path),
    form: await visitor.post(path, form),
    'form of the list': await visitor.post(`${path}?index`, form),
  };
  return Object.fromEntries(
    Object.entries(answers).map(([way, { statusCode, headers, payload }]) => {
      return [way, { status: statusCode, text: `${JSON.stringify(headers)} ${payload}` }];
    }),
  );
}

/** Fills the board with secrets. @returns the paths of its files */
async function fill(web: TestWeb): Promise<string[]> {
  const owner = await web.makeMember('Olga', 'OWNER');
  const general = { name: 'Quagga Works', description: 'All about Bongos', pid: 'acme', domain: 'ideas.example.com' };
  await owner.post('/b/acme/settings/general', { ...general, locale: 'de', roadmap: 'on' });
  await web.db.transaction((tx) =>
    tx
      .updateTable('boards')
      .set({ ...general, brand_color: '#7a1f5b', locale: 'de' })
      .where('pid', '=', 'acme')
      .execute(),
  );
  const logo = await owner.postForm('/b/acme/settings/general', [
    { field: 'intent', bytes: 'logo' },
    { field: 'picture', filename: 'logo.png', bytes: PNG, type: 'image/png' },
  ]);
  assert.equal(logo.statusCode, 302, logo.payload);
  const { id } = await upload(web, { filename: 'Dikdik.txt', bytes: 'Dikdik' });
  const { files } = await web.api.createPost(
    { title: 'Okapi mode', comment: 'Gerenuk', files: [id] },
    { files: { url: true } },
  );
  await publishNew(web, { title: 'Okapi news', text: 'Gerenuk' });
  const board = await web.db.read
    .selectFrom('boards')
    .select('logo_url')
    .where('pid', '=', 'acme')
    .executeTakeFirstOrThrow();
  return [new URL(files[0]?.url ?? '').pathname, board.logo_url ?? assert.fail('no logo')];
}

async function setAccess(web: TestWeb, access: 'PUBLIC' | 'SIGNED_IN' | 'MEMBERS') {
  await web.db.transaction((tx) => tx.updateTable('boards').set({ access }).where('pid', '=', 'acme').execute());
}

testWeb('no page, file or form reveals anything of a private board to outsiders, nor that it exists', async (web) => {
  const files = await fill(web);
  const outsider = await signUp(web, 'Vera');
  const values = { pid: 'acme', number: '1', token: 'x', step: '2', file: '1.xml' };
  const pages = listPaths(values).filter((path) => !path.includes('sign-out'));
  const paths = [...pages, '/b/acme/settings/import/file'];
  const found = await ask(web.makeVisitor(), '/b/acme');
  assert.ok(
    SECRETS.some((word) => found.page?.text.includes(word)),
    'the walk would see it on a public board',
  );
  for (const path of ['/b/acme/picture.png', '/b/acme/posts/1/picture.png', '/b/acme/sitemap/1.xml']) {
    assert.equal((await web.makeVisitor().get(path)).statusCode, 200, path);
  }
  const wrong: string[] = [];
  const cases = [
    ['SIGNED_IN', 'anonymous', () => web.makeVisitor()],
    ['MEMBERS', 'anonymous', () => web.makeVisitor()],
    ['MEMBERS', 'an account from elsewhere', () => outsider],
  ] as const;
  for (const [access, who, visit] of cases) {
    await setAccess(web, access);
    for (const path of [...paths, '/sign-in?next=/b/acme', '/sign-in?next=/b/acme/posts/1']) {
      web.clock.advance(15 * MINUTE_MS); // so that attempts are not too many
      const told = await ask(visit(), path);
      const none = await ask(visit(), path.replace('acme', 'nowhere'));
      for (const [way, { status, text }] of Object.entries(told)) {
        const secrets = SECRETS.filter((word) => text.includes(word));
        if (secrets.length > 0) wrong.push(`${access}, ${who}: ${way} of ${path} (${status}) tells ${secrets}`);
        if (none[way]?.status !== status) {
          wrong.push(
            `${access}, ${who}: ${way} of ${path} is ${status}, and ${none[way]?.status} where there is no board`,
          );
        }
      }
    }
    for (const path of files) {
      const { statusCode, payload } = await visit().get(path);
      if (statusCode !== 404 || /Dikdik/.test(payload)) wrong.push(`${access}, ${who}: ${path} is ${statusCode}`);
    }
  }
  assert.deepEqual(wrong, []);
});

/** Asks for a mail to sign in with. @returns all that is in it */
async function askForMail(web: TestWeb, email: string): Promise<string> {
  web.clock.advance(15 * MINUTE_MS);
  await web.db.transaction((tx) => tx.deleteFrom('mails').execute());
  await web.makeVisitor().post('/sign-in', { intent: 'link', email, next: '/b/acme' });
  await readMail(web, email);
  const mail = await web.db.read.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
  return `${mail.subject} ${JSON.stringify(decryptBody(testCipher, mail))}`;
}

testWeb('a sign-in mail does not reveal a private board to outsiders', async (web) => {
  await fill(web);
  await signUp(web, 'Vera');
  const tells = (mail: string) => SECRETS.some((word) => mail.includes(word)) || mail.includes('ideas.example.com');
  assert.ok(tells(await askForMail(web, 'public@example.com')), 'the look is that of a public board');
  await setAccess(web, 'MEMBERS');
  for (const email of ['unknown@example.com', 'vera@example.com']) {
    const mail = await askForMail(web, email);
    assert.ok(!tells(mail), mail);
    assert.match(mail, /"name":"board\.test"/);
    assert.match(mail, /"language":"en"/);
  }
  assert.ok(tells(await askForMail(web, 'olga@example.com')), 'the team sees its board');
  await web.db.transaction((tx) => tx.updateTable('boards').set({ mail_domains: 'allowed.example' }).execute());
  assert.ok(tells(await askForMail(web, 'new@allowed.example')), 'who may come in with the address');
  const other = await web.makeBoard({ name: 'Other' });
  assert.match(await askForMail(web, 'unknown2@example.com'), new RegExp(`"name":"Other".*/b/${other.pid}"`));
});
