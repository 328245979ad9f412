import { type TestContext, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Executor } from '../../src/api/graphql/execute.ts';
import { type AppDeps, createApp } from '../../src/app.ts';
import { makeFileFolder } from '../../src/feedback/files/folder.ts';
import type { SignInProviders } from '../../src/identity/accounts/providers.ts';
import type { BoardRow, NewBoard } from '../../src/identity/board/board.ts';
import { createKey, type NewKey } from '../../src/identity/keys/keys.ts';
import { type Role, setRole } from '../../src/identity/users/users.ts';
import { createBoard } from '../../src/operations/boards/create.ts';
import type { MailInDeps } from '../../src/operations/mail-in/receiving.ts';
import { findBuiltPages } from '../../src/pages/pages.ts';
import type { MailSettings } from '../../src/pages/visit.ts';
import type { Db, Engine } from '../../src/platform/db/db.ts';
import type { Clock } from '../../src/platform/lib/clock.ts';
import { type Metrics, makeMetrics } from '../../src/platform/metrics/metrics.ts';
import type { Sender } from '../../src/webhooks/http/sender.ts';
import { type Api, makeApi, requireData } from './api.ts';
import { onEnd } from './cleanup.ts';
import { schema } from './schema.ts';
import { makeTestSender } from './sender.ts';
import { engines, makeStorePlace, openTestStore } from './store.ts';

/** A clock that stands still until a test moves it. */
export type TestClock = Clock & { advance(milliseconds: number): void };

/** A request and what came back. */
export type GqlResponse = {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  data: any;
  errors: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> & { code: string } }[];
};

export type GqlOptions = {
  key?: string;
  /** External id of the acting user; null sends no user headers. */
  as?: string | null;
  headers?: Record<string, string>;
};

/** A whole app on a store of its own, with the real pipeline and a clock that the test moves. */
export type TestApp = {
  /** The origin from which its pages send forms. */
  ownOrigin: string;
  app: FastifyInstance;
  db: Db;
  clock: TestClock;
  board: BoardRow;
  /** Where its files are. */
  dataDir: string;
  /** A key of the board without limits. */
  key: string;
  /** Its metrics, which `/metrics` prints once a second. */
  metrics: Metrics;
  /** Warnings and errors of the log, a line of JSON each. */
  logged: string[];
  /** Every operation as a method, with the types of the client. */
  api: Api;
  /** Statements since the last look. */
  takeStatements(): string[];
  gql(query: string, variables?: Record<string, unknown>, options?: GqlOptions): Promise<GqlResponse>;
  /** As `gql`, for requests that must succeed: gives the data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  ask(query: string, variables?: Record<string, unknown>, options?: GqlOptions): Promise<any>;
  makeKey(input?: Partial<NewKey>, board?: BoardRow): Promise<string>;
  makeBoard(input?: Partial<NewBoard>): Promise<BoardRow>;
  /** Registers a user under the SSO type `SSO` and gives the row id. */
  makeUser(ssoId: string, role?: Role, options?: GqlOptions): Promise<string>;
  makePost(title: string, options?: GqlOptions): Promise<string>;
};

/** A test of behaviour: it runs on SQLite and on PostgreSQL. */
export function testBoth(name: string, work: (app: TestApp, t: TestContext) => Promise<void>): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => work(await makeTestApp(t, engine), t));
  }
}

/** A test of what no engine can change, such as documents, headers and limits of requests: on SQLite alone. */
export function testOnce(name: string, work: (app: TestApp, t: TestContext) => Promise<void>): void {
  test(name, async (t) => work(await makeTestApp(t, 'sqlite'), t));
}

/** The tests of a process share the operations that it has prepared, as the requests of a server do. */
const executor = new Executor(schema);

export const START = Date.parse('2026-11-21T09:30:00.000Z');

/** What a test may set up otherwise. */
export type TestConfig = {
  trustProxy?: number | string[];
  /** The address that the server is told to have. */
  baseUrl?: string;
  sandbox?: boolean;
  /** Whether the app has its web pages. */
  web?: boolean;
  /** Whether the pages are those of an export. */
  isStatic?: boolean;
  /** What pages tell of mail, and how they send it. */
  mail?: MailSettings;
  /** How old a page may be for visitors without a session, by the clock; by default they see every change at once. */
  maxPageAgeMs?: number;
  /** Providers to sign in with. */
  signInProviders?: SignInProviders;
  /** Aborted by the test as if the process were asked to stop. */
  stopping?: AbortSignal;
  /** A store that the test has opened in its own way. */
  db?: Db;
  /** What sends requests to others, in a way of the test's own. */
  sender?: Sender;
  /** Makes what mail that comes in is received with. */
  mailIn?: (app: Omit<MailInDeps, 'domain' | 'mailFrom' | 'replies' | 'resolve'>) => MailIn;
};

type MailIn = NonNullable<AppDeps['mailIn']>;

/** Makes an app with a board, a key without limits, and the user `ada` who is its owner. */
export async function makeTestApp(t: TestContext, engine: Engine, config: TestConfig = {}): Promise<TestApp> {
  const clock = makeTestClock();
  let statements: string[] = [];
  const metrics = makeMetrics();
  const observe = (sql: string, milliseconds: number) => {
    statements.push(sql);
    metrics.observeStatement(sql, milliseconds);
  };
  const db = config.db ?? (await openTestStore(t, engine, observe));
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) });
  const { baseUrl = 'http://board.test' } = config;
  const { dataDir } = await makeStorePlace(t, 'sqlite');
  const app = await createApp({
    db,
    clock,
    log,
    metrics,
    config: { baseUrl, trustProxy: config.trustProxy ?? 0, role: 'all', sandbox: config.sandbox ?? true, dataDir },
    sender: config.sender ?? makeTestSender(),
    executor,
    web: config.web ? requireWeb(config) : null,
    ...(config.stopping && { stopping: config.stopping }),
    ...(config.mailIn && { mailIn: config.mailIn({ db, clock, log, baseUrl, folder: makeFileFolder(dataDir) }) }),
  });
  onEnd(t, async () => {
    await app.close();
  });
  const board = await createBoard(db, clock, { name: 'Acme' });

  async function makeKey(input: Partial<NewKey> = {}, of: BoardRow = board): Promise<string> {
    const context = { db, clock, baseUrl, board: of };
    const { key } = await createKey(context, { name: 'test', rateRules: [], ...input });
    clock.advance(1_000); // the app looks for keys it does not know once in a tenth of a second
    return key;
  }

  const key = await makeKey();

  async function gql(query: string, variables: Record<string, unknown> = {}, options: GqlOptions = {}) {
    const as = options.as === undefined ? 'ada' : options.as;
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/graphql',
      headers: {
        'content-type': 'application/json',
        apikey: options.key ?? key,
        ...(as === null ? {} : { ssotype: 'SSO', ssoid: as }),
        ...options.headers,
      },
      payload: JSON.stringify({ query, variables }),
    });
    const { data, errors = [] }: Pick<GqlResponse, 'data' | 'errors'> = response.json();
    return { status: response.statusCode, headers: response.headers, data, errors };
  }

  const testApp: TestApp = {
    ownOrigin: new URL(baseUrl).origin,
    app,
    db,
    clock,
    board,
    dataDir,
    key,
    api: makeApi(gql),
    metrics,
    gql,
    makeKey,
    logged,
    takeStatements() {
      const taken = statements;
      statements = [];
      return taken;
    },
    async ask(query, variables, options) {
      return requireData(await gql(query, variables, options));
    },
    makeBoard: (input = {}) => createBoard(db, clock, { name: 'Other', ...input }),
    async makeUser(ssoId, role, options) {
      const { id } = await testApp.api.as({ ...options, as: null }).createUser({ ssoType: 'SSO', ssoId, name: ssoId });
      if (role) await setRole({ db, clock, board }, { ssoType: 'SSO', ssoId }, role);
      return id;
    },
    async makePost(title, options = {}) {
      return (await testApp.api.as(options).createPost({ title, comment: 'Because.' })).id;
    },
  };
  await testApp.makeUser('ada', 'OWNER');
  return testApp;
}

function requireWeb(config: TestConfig) {
  const { mail = makeTestMailSettings(), signInProviders = { providers: [], domains: [] } } = config;
  const { maxPageAgeMs = 0, isStatic = false } = config;
  const pages = findBuiltPages();
  if (!pages) throw new Error('The pages are not built: run `npm run prepare`');
  return { pages, secretKey: 'a secret of the tests', mail, signInProviders, maxPageAgeMs, isStatic };
}

/** Mail that goes nowhere, as if into files. */
function makeTestMailSettings(): MailSettings {
  const transport = { send: async () => {}, forget: async () => {}, close() {} };
  return { transport, server: null, from: 'Earshot <earshot@localhost>', folder: '/data/mail', domainIn: null };
}

/** A clock that stands at `START`. */
export function makeTestClock(): TestClock {
  let now = START;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}
