import { requireBoard } from '../src/identity/board/board.ts';
import { beginSession } from '../src/identity/sso/sessions.ts';
import { createUser, setRole } from '../src/identity/users/users.ts';
import type { Engine } from '../src/platform/db/db.ts';
import { openDb } from '../src/platform/db/open.ts';
import { systemClock } from '../src/platform/lib/clock.ts';
import { type Served, startEarshot, untilAnswered } from './earshot.ts';
import { measure, type Sample } from './load.ts';
import type { Options } from './options.ts';
import { type Server, startServer } from './processes.ts';
import { format, type PartResult, type Table, type Target } from './report.ts';
import { postId, type Size } from './rows.ts';
import { median, turns } from './statistics.ts';
import { headersOf, type Store, type Stores } from './stores.ts';

/** Who asks for a page, and of which server; the headers make the difference. */
type Variant = {
  name: string;
  server: Pick<Server, 'url' | 'pid'>;
  path: string;
  headers: Record<string, string>;
  samples: Sample[];
};
type PageName = 'board' | 'post' | 'roadmap' | 'changelog';
type Result = { engine: Engine; posts: number; page: PageName; variants: readonly Variant[] };

const CONSTANT = 'constant';
const REACT = 'react, bare';
const VISITOR = 'earshot, no session';
const MEMBER = 'earshot, signed in';

const SMALL: Size = { posts: 1_000, commentsPerPost: 5 };
const COMMENTS = 40;
const ENTRIES = 10;
const CONNECTIONS = 64;
const WARM_UP_SECONDS = 2;
/** As a browser that has been here before asks. */
const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd', 'sec-fetch-site': 'same-origin' };
const LEAST = 0.15;

/** How many pages a second the server renders, beside servers that answer the same bytes, or render the same markup. */
export async function measurePageThroughput(options: Options, stores: Stores): Promise<PartResult> {
  const results: Result[] = [];
  for (const engine of options.engines) {
    results.push(...(await measureStore(options, await stores.make(engine, 'throughput', SMALL), SMALL)));
    if (options.quick) continue;
    const large: Size = { posts: options.manyPosts, commentsPerPost: 1, phrases: true };
    results.push(...(await measureStore(options, await stores.share(engine, 'phrases', large), large)));
  }
  return {
    tables: results.map(tableOf),
    targets: results.flatMap(targetsOf),
    samples: results.map(({ variants, ...rest }) => ({
      ...rest,
      variants: Object.fromEntries(variants.map(({ name, samples }) => [name, samples])),
    })),
  };
}

async function measureStore(options: Options, store: Store, size: Size): Promise<Result[]> {
  const { engine } = store;
  const { pid, cookie } = await readBoard(store);
  const served = await startEarshot(store);
  try {
    await untilAnswered(served, '/healthz');
    const post = await fillPost(served, store, size);
    await fillChangelog(served, store);
    const home = `/b/${pid}`;
    const paths: Record<PageName, string> = {
      board: home,
      post: await findCanonical(served, `${home}/posts/${post}`),
      roadmap: `${home}/roadmap`,
      changelog: `${home}/changelog`,
    };
    const results: Result[] = [];
    for (const [page, path] of Object.entries(paths) as [PageName, string][]) {
      console.error(`pages-throughput: ${page}, ${format(size.posts)} posts on ${engine}`);
      results.push({ engine, posts: size.posts, page, variants: await measurePage(options, served, path, cookie) });
    }
    return results;
  } finally {
    await served.stop();
  }
}

async function measurePage(options: Options, served: Served, path: string, cookie: string): Promise<Variant[]> {
  const env = { PAGE: `${served.url}${path}` };
  const constant = await startServer({ file: 'variants/constant-page.ts', env });
  const react = await startServer({ file: 'variants/react.ts', env });
  const of = (name: string, server: Variant['server'], headers = {}): Variant => {
    return { name, server, path, headers: { ...BROWSER, ...headers }, samples: [] };
  };
  const variants = [
    ...[of(CONSTANT, constant), of(REACT, react)],
    ...[of(VISITOR, served), of(MEMBER, served, { cookie })],
  ];
  try {
    for (const variant of variants) await loadOn(variant, WARM_UP_SECONDS);
    for (let round = 0; round < options.rounds; round++) {
      for (const variant of turns(variants, round)) variant.samples.push(await loadOn(variant, options.seconds));
    }
  } finally {
    for (const server of [constant, react]) await server.stop();
  }
  return variants;
}

function loadOn({ server, path, headers }: Variant, seconds: number): Promise<Sample> {
  return measure(server, path, { connections: CONNECTIONS, seconds, headers, bodies: [] });
}

/** The board's name in addresses, and the cookie of a user who is signed in there. */
async function readBoard(store: Store): Promise<{ pid: string; cookie: string }> {
  const db = openDb(store);
  try {
    const board = await requireBoard(db.read, store.boardId);
    const context = { db, clock: systemClock, baseUrl: 'http://localhost', board };
    const user = await createUser(context, { ssoType: 'SSO', ssoId: 'visitor' }, { name: 'Vera' });
    // The changelog is written by moderators.
    await setRole(context, { ssoType: 'SSO', ssoId: 'bench' }, 'MODERATOR');
    const token = await beginSession({ db, clock: systemClock }, user);
    return { pid: board.pid, cookie: `earshot.sso.${board.id}=${token}` };
  } finally {
    await db.close();
  }
}

/** Gives a post forty comments. @returns its number */
async function fillPost(served: Served, store: Store, size: Size): Promise<number> {
  const id = postId(size, 1);
  const text = 'We need this every week, and **so do our customers**. See https://example.com for how others do it.';
  const create = 'mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text) { id } }';
  for (let n = 0; n < COMMENTS; n++) {
    await ask(served, store, create, { id, text: `${n}. ${text}` });
  }
  const { post } = await ask(served, store, 'query($id: String!) { post(id: $id) { number } }', { id });
  return (post as { number: number }).number;
}

async function fillChangelog(served: Served, store: Store): Promise<void> {
  const text =
    '## Faster lists\n\nLists of a million rows open at once.\n\n- Sorted by anything\n- Kept while you scroll';
  const create =
    'mutation($title: String!, $text: String!) { createChangelogEntry(title: $title, text: $text) { id } }';
  for (let n = 0; n < ENTRIES; n++) {
    const { createChangelogEntry: entry } = await ask(served, store, create, { title: `Release ${n}`, text });
    await ask(served, store, 'mutation($id: String!) { publishChangelogEntry(id: $id) { id } }', entry as object);
  }
}

async function ask({ url }: Served, store: Store, query: string, variables: object): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ query, variables });
  const request = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headersOf(store) } };
  const { data, errors } = (await (await fetch(`${url}/api/v1/graphql`, request)).json()) as {
    data: Record<string, unknown>;
    errors?: unknown;
  };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Where links to a page lead: a number alone costs a redirect, which no link of ours has. */
async function findCanonical({ url }: Served, path: string): Promise<string> {
  return new URL((await fetch(`${url}${path}`)).url).pathname;
}

function titleOf({ engine, posts, page }: Result): string {
  return `${page}, ${posts.toLocaleString('en')} posts, ${engine}`;
}

function tableOf(result: Result): Table {
  const { variants } = result;
  return {
    title: `Pages a second: ${titleOf(result)}`,
    columns: ['', 'pages/s', `× ${CONSTANT}`, `× ${REACT}`, 'CPU µs', 'p99 ms'],
    rows: variants.map(({ name, samples }) => [
      name,
      format(median(samples.map(({ perSecond }) => perSecond))),
      format(ratio(variants, name, CONSTANT)),
      format(ratio(variants, name, REACT)),
      format(median(samples.map(({ cpuMicros }) => cpuMicros ?? Number.NaN))),
      format(median(samples.map(({ p99Ms }) => p99Ms))),
    ]),
  };
}

/** The median over the rounds of one variant's speed to another's in the same round. */
function ratio(variants: readonly Variant[], name: string, base: string): number {
  const of = (wanted: string) =>
    (variants.find((variant) => variant.name === wanted)?.samples ?? []).map(({ perSecond }) => perSecond);
  const bases = of(base);
  return median(of(name).map((value, round) => value / (bases[round] ?? Number.NaN)));
}

function targetsOf(result: Result): Target[] {
  const measured = ratio(result.variants, VISITOR, CONSTANT);
  if (result.posts !== SMALL.posts || result.page === 'changelog') return [];
  return [
    {
      what: `${titleOf(result)}, no session`,
      target: `≥ ${LEAST} × ${CONSTANT}`,
      measured: format(measured),
      isMet: measured >= LEAST,
    },
  ];
}
