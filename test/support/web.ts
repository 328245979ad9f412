import { type TestContext, test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { makePasswords } from '../../src/identity/accounts/passwords.ts';
import { makeSetupLink } from '../../src/identity/team/inviting.ts';
import type { Db, Engine } from '../../src/platform/db/db.ts';
import { makeTestApp, type TestApp, type TestConfig } from './app.ts';
import { FORM_TYPE, makeForm, type Part } from './files.ts';
import { textOfMail } from './sender.ts';
import { engines } from './store.ts';
import { PATIENCE_MS } from './until.ts';

export const PASSWORD = 'correct horse battery';

/** A visitor as a browser with cookies and forms makes them, without the browser. */
export type WebVisitor = {
  cookies: Map<string, string>;
  /** Follows a page to its own address, as browsers do; other redirects are for the test to see. */
  get(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  head(path: string): Promise<LightMyRequestResponse>;
  /** Sends a form as a page of ours does, unless the headers say otherwise. */
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Sends a form with files. */
  postForm(path: string, parts: readonly Part[]): Promise<LightMyRequestResponse>;
};

type TeamRole = 'OWNER' | 'ADMIN' | 'MODERATOR';
type Person = { name: string; email: string };

export type TestWeb = TestApp & {
  makeVisitor(): WebVisitor;
  /** A visitor who has joined the board with this role, and confirmed their address. */
  makeMember(name: string, role: TeamRole): Promise<WebVisitor>;
};

/** A test of the pages as they are served, on each engine: of what they alone ask of the store. */
export function testWeb(
  name: string,
  work: (web: TestWeb, t: TestContext) => Promise<void>,
  config: TestConfig = {},
): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => work(await makeTestWeb(t, engine, config), t));
  }
}

/** A test of what no engine can change, such as markup, texts, headers and the forms of requests: on SQLite alone. */
export function testPages(
  name: string,
  work: (web: TestWeb, t: TestContext) => Promise<void>,
  config: TestConfig = {},
): void {
  test(name, async (t) => work(await makeTestWeb(t, 'sqlite', config), t));
}

/** An app with its pages, and people to visit it. */
export async function makeTestWeb(t: TestContext, engine: Engine, config: TestConfig = {}): Promise<TestWeb> {
  const testApp = await makeTestApp(t, engine, { ...config, web: true });
  return {
    ...testApp,
    makeVisitor: () => makeWebVisitor(testApp),
    makeMember: (name, role) => joinBoard(testApp, { name, email: `${name.toLowerCase()}@example.com` }, role),
  };
}

/** Makes a visitor who has joined the board with this role and confirmed their address, and has `PASSWORD`. */
export async function joinBoard(app: TestApp, person: Person, role: TeamRole): Promise<WebVisitor> {
  const { db, clock, board } = app;
  const visitor = await makeAccount(app, person);
  const link = await makeSetupLink({ db, clock, baseUrl: 'http://board.test', board });
  await db.transaction((tx) => tx.updateTable('invitations').set({ role }).where('email', 'is', null).execute());
  const joined = await visitor.post(new URL(link).pathname, {});
  if (joined.statusCode !== 302) throw new Error(`${person.name} could not join: ${joined.statusCode}`);
  // Nothing waits for the mail any more.
  for (const name of ['earshot.browser', 'earshot.waiting']) visitor.cookies.delete(name);
  await db.transaction((tx) => tx.deleteFrom('mails').where('recipient', '=', person.email).execute());
  return visitor;
}

/** The newest mail to an address: its subject and text, and the path in its link. */
export async function readMail(
  { db }: Pick<TestWeb, 'db'>,
  recipient: string,
): Promise<{ subject: string; body: string; path: string }> {
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    const query = db.read.selectFrom('mails').selectAll().where('recipient', '=', recipient);
    const mail = await query.orderBy('id', 'desc').limit(1).executeTakeFirst();
    const body = mail ? textOfMail(mail) : '';
    const path = /https?:\/\/(?:[\w.-]+\.test|127\.0\.0\.1)(?::\d+)?(\S+)/.exec(body)?.[1];
    if (mail && path) return { subject: mail.subject, body, path };
    if (performance.now() > end) throw new Error(`No mail to ${recipient}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A visitor who has made an account with `PASSWORD`, and is not a user of the board yet. */
export function signUp(web: TestWeb, name: string, email = `${name.toLowerCase()}@example.com`): Promise<WebVisitor> {
  return makeAccount(web, { name, email });
}

/** Makes an account by a link in a mail, and adds its password. */
async function makeAccount(app: TestApp, { name, email }: Person): Promise<WebVisitor> {
  const visitor = makeWebVisitor(app);
  await visitor.post('/sign-in', { intent: 'link', email, next: '/b/acme' });
  const { path } = await readMail(app, email);
  const joined = await visitor.post(path, { name, password: '' });
  if (joined.statusCode !== 302) throw new Error(`${name} could not sign up: ${joined.statusCode}`);
  await givePassword(app.db, email);
  return visitor;
}

/** The hash of `PASSWORD`. Each takes 80 ms of a processor, and hundreds of accounts are made. */
let hashed: Promise<string> | null = null;

/** Adds the row that an account with `PASSWORD` has. */
async function givePassword(db: Db, email: string): Promise<void> {
  hashed ??= makePasswords().hash(PASSWORD);
  const password = await hashed;
  await db.transaction(async (tx) => {
    const account = tx.selectFrom('accounts').where('email', '=', email.toLowerCase());
    const { id, date_created } = await account.select(['id', 'date_created']).executeTakeFirstOrThrow();
    const dates = { date_created, date_updated: date_created };
    const row = { id, account_id: id, provider: 'credential', subject: id, password, ...dates };
    await tx.insertInto('credentials').values(row).execute();
  });
}

function makeWebVisitor({ app, ownOrigin }: TestApp): WebVisitor {
  const cookies = new Map<string, string>();
  async function send(options: {
    method: 'GET' | 'HEAD' | 'POST';
    url: string;
    headers: Record<string, string>;
    payload?: string | Buffer;
  }) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.inject({
      ...options,
      headers: { host: 'board.test', ...(cookie && { cookie }), ...options.headers },
    });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  return {
    cookies,
    async get(url, headers = {}) {
      const response = await send({ method: 'GET', url, headers });
      const { location } = response.headers;
      return response.statusCode === 301 && location ? send({ method: 'GET', url: location, headers }) : response;
    },
    head: (url) => send({ method: 'HEAD', url, headers: {} }),
    post: (url, form, headers = { origin: ownOrigin }) =>
      send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams(form).toString(),
      }),
    postForm: (url, parts) =>
      send({
        method: 'POST',
        url,
        headers: { 'content-type': FORM_TYPE, origin: ownOrigin },
        payload: makeForm(parts),
      }),
  };
}
