import { monitorEventLoopDelay } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { createApp } from '../../src/app.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import { makeMetrics } from '../../src/platform/metrics/metrics.ts';
import { makeSender } from '../../src/webhooks/http/sender.ts';
import { makePhrase, makeRandom, vocabulary } from '../phrases.ts';
import type { SearchInput, SearchName, SearchOutput } from '../search.ts';
import { headersOf } from '../stores.ts';

/** Asks the whole pipeline of Earshot, in process, one question after the other, each of them once. */
const SEARCH = `query($search: String, $sort: PostSortOrder, $cursor: String) {
  posts(search: $search, sort: $sort, cursor: $cursor, limit: 20) { nodes { id title upvoteCount } hasMore cursor }
}`;
const SIMILAR = `query($title: String!, $text: String) {
  similarPosts(title: $title, text: $text, limit: 5) { post { id title } score matched }
}`;

const { store, posts, requests } = (await json(process.stdin)) as SearchInput;
const metrics = makeMetrics();
const db = openDb(store, metrics.observeStatement);
const config = { baseUrl: 'http://localhost', trustProxy: 0, role: 'all', sandbox: true, dataDir: 'unused' } as const;
const sender = makeSender({ webhookAllowCidrs: [] }, 'a key for the bench', systemClock);
const app = await createApp({ db, clock: systemClock, log: makeLog('info'), metrics, config, sender });
const random = makeRandom(42);

const first = await time(() => ask(SEARCH, { search: 'calendar' }));
const times: Record<SearchName, number[]> = {
  'search, by relevance': [],
  'search, second page': [],
  'search, newest first': [],
  similarPosts: [],
};
for (let n = 0; n < 20; n++) await ask(SIMILAR, { title: makePhrase(n).title });
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();
for (let n = 0; n < requests; n++) {
  const search = makeSearch(n);
  const page = await time(() => ask(SEARCH, { search }));
  times['search, by relevance'].push(page.ms);
  const { cursor } = page.data.posts as { cursor: string | null };
  if (cursor) times['search, second page'].push((await time(() => ask(SEARCH, { search, cursor }))).ms);
  times['search, newest first'].push((await time(() => ask(SEARCH, { search, sort: 'NEWEST' }))).ms);
  times.similarPosts.push((await time(() => ask(SIMILAR, makeDraft(n)))).ms);
}
lag.disable();
await app.close();
await db.close();
const output: SearchOutput = { times, firstMs: first.ms, lagMs: Math.max(0, lag.percentile(99) / 1e6 - 1) };
process.stdout.write(`${JSON.stringify(output)}\n`, () => process.exit(0));

/** Words of every frequency, alone and together, parts of words, the beginnings of words, and words mistyped. */
function makeSearch(n: number): string {
  const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? '';
  const other = makePhrase(Math.floor(random() * posts)).title.split(' ');
  switch (n % 8) {
    case 0:
      return word();
    case 1:
      return vocabulary[Math.floor(random() * 100)] ?? '';
    case 2:
      return `${word()} ${word()}`;
    case 3:
      return other.slice(0, 2).join(' ');
    case 4:
      return other.slice(0, 4).join(' ');
    case 5:
      return mistype(vocabulary[Math.floor(random() * 2_000)] ?? '');
    case 6:
      return word().slice(0, 2 + Math.floor(random() * 3));
    default:
      return word().slice(1);
  }
}

/** A post that is being written: another one with a word changed and a word added. */
function makeDraft(n: number): { title: string; text: string | null } {
  const { title, text } = makePhrase(Math.floor(random() * posts));
  const words = title.split(' ');
  words[n % words.length] = vocabulary[Math.floor(random() * vocabulary.length)] ?? '';
  return { title: `please ${words.join(' ')}`, text: n % 2 === 0 ? text : null };
}

function mistype(word: string): string {
  const at = 1 + Math.floor(random() * Math.max(1, word.length - 2));
  return word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2);
}

async function ask(query: string, variables: object): Promise<Record<string, unknown>> {
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    headers: { 'content-type': 'application/json', ...headersOf(store) },
    payload: JSON.stringify({ query, variables }),
  });
  const { data, errors } = response.json();
  if (errors) throw new Error(response.body.slice(0, 500));
  return data;
}

async function time<T>(work: () => Promise<T>): Promise<{ ms: number; data: T }> {
  const start = performance.now();
  const data = await work();
  return { ms: performance.now() - start, data };
}
