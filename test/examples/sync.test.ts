import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeRandom } from '../../src/operations/sample/sample.ts';
import { onEnd } from '../support/cleanup.ts';
import { environmentFor, runCommand, startServer } from '../support/process.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace } from '../support/store.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/sync/sync.mjs', import.meta.url));
const WRITES = roundsOf('SYNC_WRITES', { short: 100, long: 10_000 });
const KILLS = roundsOf('SYNC_KILLS', { short: 1, long: 20 });
const SEED = Number(process.env.SYNC_SEED ?? Math.floor(Math.random() * 1e9));

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
type Answer = any;
type Ask = (query: string, variables?: object) => Promise<Answer>;

/** Writes anything that can be written, at random; what is refused is refused. */
class Writer {
  readonly #ask: Ask;
  readonly #random: () => number;
  readonly #posts: string[] = [];
  readonly #comments: string[] = [];
  readonly #people: string[] = [];

  constructor(ask: Ask, random: () => number) {
    this.#ask = ask;
    this.#random = random;
  }

  async write(n: number): Promise<void> {
    const id = this.#pick(this.#posts);
    const text = `Text ${n} "Größe" 🌒`;
    const kinds: [weight: number, work: () => Promise<unknown>][] = [
      [20, () => this.#create(n, text)],
      [20, () => this.#comment(id, text)],
      [15, () => this.#ask('mutation($id: String!) { upvotePost(postId: $id) { id } }', { id })],
      [8, () => this.#ask('mutation($id: String!) { removeVote(postId: $id) { id } }', { id })],
      [
        10,
        () =>
          this.#ask('mutation($id: String!, $text: String!) { updatePost(id: $id, title: $text) { node { id } } }', {
            id,
            text,
          }),
      ],
      [
        5,
        () =>
          this.#ask(
            'mutation($id: String!, $text: String!) { updatePost(id: $id, comment: $text, isPinned: true) { node { id } } }',
            { id, text },
          ),
      ],
      [
        6,
        () =>
          this.#ask('mutation($id: String!) { changePostStatus(postId: $id, statusType: COMPLETED) { id } }', { id }),
      ],
      [
        6,
        () => this.#ask('mutation($id: String!) { deleteComment(id: $id) { id } }', { id: this.#pick(this.#comments) }),
      ],
      [4, () => this.#register(n)],
      [3, () => this.#rename(n)],
      [1, () => this.#erase()],
      [6, () => this.#ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id })],
      [4, () => this.#ask('mutation($id: String!) { restorePost(id: $id) { id } }', { id })],
    ];
    const choices = kinds.flatMap(([weight, work]) => Array<() => Promise<unknown>>(weight).fill(work));
    await (id === undefined ? this.#create(n, text) : this.#pick(choices)?.());
  }

  async #create(n: number, text: string): Promise<void> {
    const create = `mutation($title: String!, $text: String, $author: UserRef) {
      createPost(title: $title, comment: $text, author: $author) { id }
    }`;
    const person = this.#pick(this.#people);
    const author = person === undefined || n % 3 === 0 ? null : { ssotype: 'SSO', userId: person };
    const data = await this.#ask(create, { title: `Post ${n}`, text: n % 2 ? text : null, author });
    if (data?.createPost) this.#posts.push(data.createPost.id);
  }

  async #comment(id: string | undefined, text: string): Promise<void> {
    const create = 'mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text) { id } }';
    const data = await this.#ask(create, { id, text });
    if (data?.createComment) this.#comments.push(data.createComment.id);
  }

  async #register(n: number): Promise<void> {
    const id = `person-${n}`;
    await this.#ask('mutation($id: String!) { createUser(ssotype: "SSO", userId: $id, name: $id) { id } }', { id });
    this.#people.push(id);
  }

  async #rename(n: number): Promise<void> {
    const rename = 'mutation($id: String!, $name: String) { updateUser(ssoId: $id, name: $name) { id } }';
    await this.#ask(rename, { id: this.#pick(this.#people), name: `Name ${n}` });
  }

  async #erase(): Promise<void> {
    const id = this.#pick(this.#people);
    await this.#ask('mutation($id: String!) { deleteUser(ssoId: $id) { id } }', { id });
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }
}

for (const engine of engines) {
  test(`the copy of the sync example equals the board after ${WRITES} random writes and ${KILLS} kills (SYNC_SEED=${SEED}) [${engine}]`, async (t) => {
    const random = makeRandom(SEED);
    const place = await makeStorePlace(t, engine);
    const env = environmentFor(place);
    let server = await startServer(t, env);
    const key = await runCommand(['key', 'create', '--name', 'sync', '--rate', 'none', '--json'], env);
    const apiKey: string = JSON.parse(key.stdout).key;
    const ask: Ask = async (query, variables = {}) => {
      const headers = { 'content-type': 'application/json', apikey: apiKey, ssotype: 'SSO', ssoid: 'mod' };
      const body = JSON.stringify({ query, variables });
      const response = await fetch(`${server.url}/api/v1/graphql`, { method: 'POST', headers, body });
      return ((await response.json()) as Answer).data;
    };
    await ask('mutation { createUser(ssotype: "SSO", userId: "mod", name: "Mod") { id } }');
    await runCommand(['user', 'role', '--ssotype', 'SSO', '--user-id', 'mod', '--role', 'admin'], env);
    const { createChangelogEntry } = await ask('mutation { createChangelogEntry(title: "New") { id } }');
    await ask('mutation($id: String!) { publishChangelogEntry(id: $id) { id } }', { id: createChangelogEntry?.id });

    const file = join(place.dataDir, 'copy.db');
    const sync = (...options: string[]) => {
      const child = spawn(process.execPath, [SCRIPT, file, ...options], {
        env: {
          PATH: process.env.PATH ?? '',
          EARSHOT_URL: server.url,
          EARSHOT_KEY: apiKey,
          EARSHOT_SSOID: 'mod',
          EARSHOT_SECONDS: '0.05',
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      onEnd(t, () => child.kill('SIGKILL'));
      return child;
    };
    const exitOf = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));
    const kill = async (child: ChildProcess) => {
      assert.equal(child.exitCode, null, 'the example goes on until it is killed');
      const exit = exitOf(child);
      child.kill('SIGKILL');
      await exit;
    };

    let follower = sync();
    const writer = new Writer(ask, random);
    for (let n = 0; n < WRITES; n++) {
      if (n > 0 && n % Math.ceil(WRITES / KILLS) === 0) {
        // A half-sent write and a half-made round: both must come out right.
        const pending = writer.write(-n).catch(() => {});
        if (random() < 0.5) {
          await server.end('SIGKILL');
          await kill(follower);
          server = await startServer(t, env);
          follower = sync();
        } else {
          await kill(follower);
          follower = sync();
        }
        await pending;
      }
      await writer.write(n);
    }
    await kill(follower);
    assert.equal(await exitOf(sync('--once')), 0);
    assert.deepEqual(readCopy(file), await readBoard(server.url, apiKey));
    await server.end('SIGTERM');
  });
}

async function readBoard(url: string, apiKey: string): Promise<unknown[]> {
  const headers = { apikey: apiKey, ssotype: 'SSO', ssoid: 'mod' };
  const text = await (await fetch(`${url}/api/jsonl?comments=true`, { headers })).text();
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ row }) => row === 'post' || row === 'comment');
  assert.ok(rows.length > WRITES / 10);
  return rows
    .map((row) =>
      row.row === 'post'
        ? [
            ...[row.id, row.number, row.title, row.text, row.upvoteCount, row.downvoteCount, row.commentCount],
            ...[row.status.name, row.author?.name ?? null, row.isPinned, row.dateCreated, row.dateUpdated],
          ]
        : [row.id, row.postId, row.type, row.text, row.user?.name ?? null, row.dateCreated],
    )
    .sort(byId);
}

function readCopy(file: string): unknown[] {
  const copy = new DatabaseSync(file);
  const posts = copy.prepare(`
    select p.id, p.number, p.title, p.text, p.upvotes, p.downvotes, p.comment_count, s.name as status, u.name as author,
      p.is_pinned, p.date_created, p.date_updated
    from posts p join statuses s on s.id = p.status_id left join users u on u.id = p.author_id`);
  const comments = copy.prepare(`
    select c.id, c.post_id, c.type, c.text, u.name, c.date_created from comments c left join users u on u.id = c.user_id`);
  const rows = [
    ...posts.all().map((row) => Object.values({ ...row, is_pinned: row.is_pinned === 1 })),
    ...comments.all().map((row) => Object.values(row)),
  ];
  copy.close();
  return rows.sort(byId);
}

function byId(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}
