import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accessKinds } from '../../src/identity/board/board.ts';
import { beginSession } from '../../src/identity/sso/sessions.ts';
import { findUserById } from '../../src/identity/users/users.ts';
import { PNG, upload } from '../support/files.ts';
import { PASSWORD, readMail, signUp, type TestWeb, testPages, type WebVisitor } from '../support/web.ts';
import { agree } from './board.ts';

const document = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8');
const table = readTable(document);

type Row = (visitors: Visitors, stage: Stage) => Promise<boolean>;
type Stage = { web: TestWeb; file: string };

const rows: Record<string, Row> = {
  'anonymous visitors read': (_, stage) => reads(stage, stage.web.makeVisitor()),
  'anonymous visitors start an idea, comment or vote, and sign in to finish it': (_, stage) => begins(stage),
  'any account reads and takes part': ({ account }, stage) => readsAndTakesPart(stage, account),
  'an account with a confirmed address at an allowed email domain reads and takes part': ({ domain }, stage) =>
    readsAndTakesPart(stage, domain),
  'users who come through single sign-on read and take part': ({ sso }, stage) => readsAndTakesPart(stage, sso),
  'invited members read and take part': ({ invited }, stage) => readsAndTakesPart(stage, invited),
  'the team reads and takes part': ({ team }, stage) => readsAndTakesPart(stage, team),
  'blocked users read': ({ blocked }, stage) => reads(stage, blocked),
  'blocked users take part': ({ blocked }, stage) => takesPart(stage, blocked),
};

test('every row of the table of kinds has its check, and every check its row', () => {
  assert.deepEqual([...table.keys()], Object.keys(rows));
  for (const cells of table.values()) assert.deepEqual([...cells.keys()], [...accessKinds]);
});

testPages(
  'visitors see and do on each kind of board what the table in docs/access.md lists, in every way',
  async (web) => {
    const visitors = await invite(web);
    await web.makePost('Okapi mode');
    const { id } = await upload(web, { filename: 'a.txt', bytes: 'Okapi' });
    const comment = 'mutation($files: [String]) { post: createPost(title: "Gnu", files: $files) { files { url } } }';
    const [{ url }] = (await web.ask(comment, { files: [id] })).post.files;
    const stage = { web, file: new URL(url).pathname };
    const wrong: string[] = [];
    for (const access of accessKinds) {
      const set = { access, mail_domains: 'allowed.example' };
      await web.db.transaction((tx) => tx.updateTable('boards').set(set).where('pid', '=', 'acme').execute());
      for (const [row, check] of Object.entries(rows)) {
        const told = table.get(row)?.get(access) === 'yes';
        const found = await check(visitors, stage).catch((error: Error) => error.message);
        if (found !== told) wrong.push(`${access}: ${row}: the table says ${told}, it is ${found}`);
      }
    }
    assert.deepEqual(wrong, []);
  },
);

type Visitors = Awaited<ReturnType<typeof invite>>;

/** A visitor for each row. */
async function invite(web: TestWeb) {
  const owner = await web.makeMember('Olga', 'OWNER');
  const account = await signUp(web, 'Vera');
  const domain = await signUp(web, 'Dora', 'dora@allowed.example');
  await owner.post('/b/acme/settings/members', { intent: 'invite', email: 'ines@example.com', role: 'MEMBER' });
  const invited = web.makeVisitor();
  const joined = await invited.post((await readMail(web, 'ines@example.com')).path, {
    name: 'Ines',
    password: PASSWORD,
  });
  assert.equal(joined.headers.location, '/b/acme');
  const sso = await comeBySso(web, await web.makeUser('sam'));
  const blockedId = await web.makeUser('bob');
  const blocked = await comeBySso(web, blockedId);
  await owner.post('/b/acme/posts/1', {});
  await web.db.transaction((tx) =>
    tx.updateTable('users').set({ standing: 'BLOCKED' }).where('id', '=', blockedId).execute(),
  );
  return { team: owner, account, domain, invited, sso, blocked };
}

/** A visitor with a session of single sign-on. */
async function comeBySso({ db, clock, board, makeVisitor }: TestWeb, id: string): Promise<WebVisitor> {
  const settings = { board_id: board.id, algorithm: 'HS256', attribute_claims: '', date_updated: 0 } as const;
  const row = { ...settings, is_role_allowed: 0, is_expiry_optional: 0 } as const;
  await db.transaction((tx) =>
    tx
      .insertInto('sso_settings')
      .values(row)
      .onConflict((c) => c.doNothing())
      .execute(),
  );
  const user = await findUserById(db.read, board.id, id);
  assert.ok(user);
  const visitor = makeVisitor();
  visitor.cookies.set(`earshot.sso.${board.id}`, await beginSession({ db, clock }, user));
  return visitor;
}

async function readsAndTakesPart(stage: Stage, visitor: WebVisitor): Promise<boolean> {
  return agree('reading and taking part', {
    reads: await reads(stage, visitor),
    'takes part': await takesPart(stage, visitor),
  });
}

/** Whether a visitor sees the board, by every way. */
async function reads({ web, file }: Stage, visitor: WebVisitor): Promise<boolean> {
  const paths = [
    '/b/acme',
    '/b/acme/posts/1',
    '/b/acme/roadmap',
    '/b/acme/similar?title=Okapi.data',
    '/b/acme?q=okapi',
  ];
  const ways: Record<string, boolean> = { file: (await visitor.get(file)).payload === 'Okapi' };
  for (const path of paths) {
    web.clock.advance(60_000);
    const { statusCode, payload } = await visitor.get(path);
    if (statusCode !== 200 && /Okapi mode|Acme/.test(payload))
      throw new Error(`${path} (${statusCode}) tells of the board`);
    ways[path] = statusCode === 200;
  }
  ways['/'] = (await visitor.get('/')).statusCode === 302;
  return agree('reading', ways);
}

/** Whether a visitor can vote, follow, post and comment. */
async function takesPart({ web }: Stage, visitor: WebVisitor): Promise<boolean> {
  web.clock.advance(3_600_000);
  const vote = await visitor.post('/b/acme/votes/1', { vote: 'up' });
  const follow = await visitor.post('/b/acme/posts/1', { intent: 'follow' });
  const idea = await visitor.post('/b/acme?index', { title: 'One more', comment: 'x' });
  const comment = await visitor.post('/b/acme/posts/1', { intent: 'comment', text: 'x' });
  const picture = { field: 'file', filename: 'a.png', bytes: PNG, type: 'image/png' };
  const upload = await visitor.postForm('/b/acme/uploads', [picture]);
  return agree('taking part', {
    upload: upload.statusCode === 200,
    vote: vote.statusCode === 200,
    follow: follow.statusCode === 302,
    idea: /\/posts\/\d+/.test(String(idea.headers.location)),
    comment: /done=comment/.test(String(comment.headers.location)),
  });
}

/** Whether what an anonymous visitor begins waits for them. */
async function begins({ web }: Stage): Promise<boolean> {
  const visitor = () => web.makeVisitor();
  web.clock.advance(3_600_000);
  const answers = {
    vote: await visitor().post('/b/acme/votes/1', { vote: 'up' }),
    idea: await visitor().post('/b/acme?index', { title: 'One more', comment: 'x' }),
    comment: await visitor().post('/b/acme/posts/1', { intent: 'comment', text: 'Kept' }),
  };
  for (const [what, { statusCode }] of Object.entries(answers)) {
    // A vote that is kept stays on its page.
    if (![200, 302, 401].includes(statusCode)) throw new Error(`${what}: ${statusCode}`);
  }
  const kept = Object.entries(answers).map(([what, { cookies }]) => [
    what,
    cookies.some(({ name }) => /browser/.test(name)),
  ]);
  return agree('beginning', Object.fromEntries(kept));
}

/** The rows of the table of kinds, by their text. */
function readTable(text: string): Map<string, Map<string, string>> {
  const section = text.split('## Four kinds of board')[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  const [head = [], , ...body] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const kinds = head.slice(1).map((cell) => cell.replaceAll('`', ''));
  return new Map(body.map(([row = '', ...cells]) => [row, new Map(kinds.map((kind, n) => [kind, cells[n] ?? '']))]));
}
