#!/usr/bin/env node
/**
 * Imports posts from a file into a board, through the API: `node import.mjs posts.jsonl`, with
 *   EARSHOT_URL      where the board is served, for example http://localhost:4000
 *   EARSHOT_KEY      an API key with read and write permission, preferably without rate limits (key create --rate none)
 *   EARSHOT_SSOTYPE, EARSHOT_SSOID   the acting user: an admin, or a user with isApiUser
 *
 * The file has one JSON object per line:
 *   {"externalId":"42","title":"Dark mode","text":"My eyes hurt.","dateCreated":"2024-05-01T10:00:00.000Z",
 *    "author":{"ssotype":"SSO","userId":"7","name":"Ada"}}
 * Only externalId and title are required.
 *
 * It can be stopped and restarted at any time. Progress is recorded in posts.jsonl.progress. Posts that were sent but not
 * recorded are not added twice, because each has its externalId. Requests therefore need no idempotency key: with one,
 * the posts of a request would be a single transaction, which blocks all other writers of the board.
 * No packages are needed: Node.js 20 or newer.
 */
import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const { EARSHOT_URL = 'http://localhost:4000', EARSHOT_KEY, EARSHOT_SSOTYPE = 'SSO', EARSHOT_SSOID } = process.env;
const file = process.argv[2];
if (!file || !EARSHOT_KEY || !EARSHOT_SSOID) {
  console.error('Usage: EARSHOT_KEY=… EARSHOT_SSOID=… node import.mjs posts.jsonl');
  process.exit(2);
}

/** Posts in one request: each takes 53 tokens of the 1,000 that a document may have. */
const BATCH = 16;
/** Requests at a time. */
const PARALLEL = 8;
const ATTEMPTS = 8;

const progressFile = `${file}.progress`;
const knownAuthors = new Set();
const startedAt = Date.now();
const done = new Set();
let doneUpTo = existsSync(progressFile) ? JSON.parse(readFileSync(progressFile, 'utf8')).batches : 0;
const skipped = doneUpTo;
let posts = 0;

const running = new Set();
let registering = Promise.resolve();
for await (const { number, rows } of batches(file)) {
  if (number < skipped) continue;
  while (running.size >= PARALLEL) await Promise.race(running);
  const work = importBatch(number, rows).finally(() => running.delete(work));
  running.add(work);
}
await Promise.all(running);
report();
process.stderr.write('\n');
console.log(
  `Imported ${posts} ${posts === 1 ? 'post' : 'posts'} in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s.`,
);

async function* batches(path) {
  let number = 0;
  let rows = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    rows.push(JSON.parse(line));
    if (rows.length < BATCH) continue;
    yield { number: number++, rows };
    rows = [];
  }
  if (rows.length > 0) yield { number, rows };
}

async function importBatch(number, rows) {
  // One after the other: two requests that register the same people would wait for each other.
  registering = registering.then(() => registerAuthors(rows));
  await registering;
  const names = rows.map((_, n) => n);
  const declared = names.map(
    (n) => `$t${n}: String!, $c${n}: String, $e${n}: String!, $a${n}: UserRef, $d${n}: DateTime`,
  );
  const fields = names.map(
    (n) =>
      `p${n}: createPost(title: $t${n}, comment: $c${n}, externalId: $e${n}, author: $a${n}, dateCreated: $d${n}) { id }`,
  );
  const variables = {};
  for (const [n, { title, text, externalId, author, dateCreated }] of rows.entries()) {
    variables[`t${n}`] = title;
    variables[`c${n}`] = text ?? null;
    variables[`e${n}`] = String(externalId);
    variables[`a${n}`] = author ? { ssotype: author.ssotype, userId: author.userId } : null;
    variables[`d${n}`] = dateCreated ?? null;
  }
  const document = `mutation(${declared.join(', ')}) { ${fields.join('\n')} }`;
  const errors = await send(document, variables);
  if (errors.length > 0) {
    const [{ message, path }] = errors;
    const row = rows[Number(String(path?.[0]).slice(1))];
    throw new Error(`${message} (post ${row?.externalId ?? '?'}); correct the file and start again`);
  }
  posts += rows.length;
  note(number);
}

/** Registers each author once, with the name; registering again changes nothing. */
async function registerAuthors(rows) {
  const authors = new Map();
  for (const { author } of rows) {
    const key = author && JSON.stringify([author.ssotype, author.userId]);
    if (author && !knownAuthors.has(key)) authors.set(key, author);
  }
  if (authors.size === 0) return;
  const list = [...authors.values()];
  const declared = list.map((_, n) => `$s${n}: String!, $u${n}: String!, $n${n}: String`);
  const fields = list.map((_, n) => `u${n}: createUser(ssotype: $s${n}, userId: $u${n}, name: $n${n}) { id }`);
  const variables = Object.fromEntries(
    list.flatMap(({ ssotype, userId, name }, n) => [
      [`s${n}`, ssotype],
      [`u${n}`, userId],
      [`n${n}`, name ?? null],
    ]),
  );
  const errors = await send(`mutation(${declared.join(', ')}) { ${fields.join('\n')} }`, variables);
  if (errors.length > 0) throw new Error(errors[0].message);
  for (const key of authors.keys()) knownAuthors.add(key);
}

/** Sends a request until there is a response, and returns the errors that a retry would not fix. */
async function send(query, variables) {
  const body = JSON.stringify({ query, variables });
  const headers = {
    'content-type': 'application/json',
    apikey: EARSHOT_KEY,
    ssotype: EARSHOT_SSOTYPE,
    ssoid: EARSHOT_SSOID,
  };
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${EARSHOT_URL}/api/v1/graphql`, { method: 'POST', headers, body }).catch(
      (error) => error,
    );
    const answer = response instanceof Error ? null : await response.json().catch(() => null);
    const errors = answer?.errors ?? [];
    const code = errors[0]?.extensions?.code;
    const isPassing = answer === null || code === 'RATE_LIMIT_EXCEEDED' || code === 'SERVICE_UNAVAILABLE';
    if (!isPassing) return errors;
    if (attempt === ATTEMPTS) throw new Error(answer ? errors[0].message : `${EARSHOT_URL} cannot be reached`);
    const wait = answer ? Number(response.headers.get('retry-after')) : 0;
    await delay(1_000 * (wait || 2 ** attempt / 4));
  }
}

/** Records how many batches, counted from the beginning, are done. */
function note(number) {
  done.add(number);
  while (done.delete(doneUpTo)) doneUpTo++;
  writeFileSync(`${progressFile}.new`, JSON.stringify({ batches: doneUpTo }));
  renameSync(`${progressFile}.new`, progressFile);
  report();
}

function report() {
  if (!process.stderr.isTTY) return;
  const seconds = Math.max(1, (Date.now() - startedAt) / 1_000);
  process.stderr.write(`\r${posts.toLocaleString('en')} posts, ${Math.round(posts / seconds)} a second `);
}
