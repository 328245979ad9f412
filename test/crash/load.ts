import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CHANGE_STATUS,
  type Client,
  CREATE_COMMENT,
  CREATE_POST,
  CREATE_USER,
  DELETE_COMMENT,
  DELETE_POST,
  type Fields,
  REMOVE_VOTE,
  UPVOTE,
} from './client.ts';
import type { Ledger, LedgerPost, Possible } from './ledger.ts';
import type { Random } from './random.ts';

/** The external id of the user who changes statuses and deletes posts. */
export const ADMIN = 'admin';

/** What the writing clients share. */
export type LoadOptions = {
  client: Client;
  ledger: Ledger;
  random: Random;
  /** Changes of status: arguments that choose a status, with its id. */
  statuses: readonly { type: string; statusId: string | null; id: string }[];
  /** Decides what an answer with an error means; gives the complaint when it should not have come. */
  unexpected: (code: string, message: string) => string | null;
  /** How long each waits between two changes; not at all without it. */
  pauseMs?: number;
};

/** Clients that write, each as a user of its own, until they are told to stop or no answer comes. */
export type Load = { stop(): void; ended: Promise<void> };

/** Registers the users that `startLoad` writes as. */
export async function createWriters(client: Client, count: number): Promise<void> {
  const ids = [ADMIN, ...Array.from({ length: count }, (_, n) => writerId(n))];
  for (const id of ids) {
    const { errors } = await client.send(CREATE_USER, { id }, null);
    assert.deepEqual(errors, []);
  }
}

/** Lets `count` clients write at once. */
export function startLoad(options: LoadOptions, count: number): Load {
  const state = { stopped: false };
  const writers = Array.from({ length: count }, (_, n) => new Writer(options, writerId(n)));
  const ended = Promise.all(
    writers.map(async (writer) => {
      while (!state.stopped && (await writer.writeOnce())) if (options.pauseMs) await delay(options.pauseMs);
    }),
  );
  return {
    ended: ended.then(() => {}),
    stop() {
      state.stopped = true;
    },
  };
}

function writerId(n: number): string {
  return `writer-${n}`;
}

/** Posts that clients vote and comment on: enough of them that clients meet. */
const POPULAR_POSTS = 40;

/** `unsure`: an error came, and the change may or may not have been written. */
type Sent = 'acknowledged' | 'refused' | 'unsure' | 'unanswered';

class Writer {
  readonly #options: LoadOptions;
  readonly #userId: string;
  readonly #ownPosts: LedgerPost[] = [];
  readonly #ownComments: string[] = [];

  constructor(options: LoadOptions, userId: string) {
    this.#options = options;
    this.#userId = userId;
  }

  /** Sends one change; false when no answer came. */
  async writeOnce(): Promise<boolean> {
    const roll = this.#options.random.next();
    if (roll < 0.35) return this.#createPost();
    if (roll < 0.6) return this.#createComment();
    if (roll < 0.8) return this.#vote();
    if (roll < 0.9) return this.#changeStatus();
    if (roll < 0.95) return this.#deleteComment();
    return this.#deletePost();
  }

  async #createPost(): Promise<boolean> {
    const { ledger, random } = this.#options;
    const title = `Post ${random.text()} 🦉`;
    const text = random.next() < 0.5 ? `Because ${random.text()}` : null;
    const externalId = random.next() < 0.1 ? random.text() : null;
    const [sent, post] = await this.#send('createPost', CREATE_POST, { title, text, externalId });
    if (sent === 'acknowledged' && post?.number && post.status) {
      const { id, number, status } = post;
      const entry: LedgerPost = { id, number, title, statusId: [status.id], isDeleted: [false] };
      ledger.posts.set(id, entry);
      this.#ownPosts.push(entry);
    }
    return sent !== 'unanswered';
  }

  async #createComment(): Promise<boolean> {
    const { ledger, random } = this.#options;
    const postId = this.#anyPost();
    if (!postId) return this.#createPost();
    const text = `Comment ${random.text()}`;
    const [sent, comment] = await this.#send('createComment', CREATE_COMMENT, { postId, text });
    if (sent === 'acknowledged' && comment) {
      ledger.comments.set(comment.id, { id: comment.id, postId, text, isDeleted: [false] });
      this.#ownComments.push(comment.id);
    }
    return sent !== 'unanswered';
  }

  async #vote(): Promise<boolean> {
    const { ledger, random } = this.#options;
    const postId = this.#anyPost();
    if (!postId) return this.#createPost();
    const isVote = random.next() < 0.7;
    const key = `${postId} ${this.#userId}`;
    const before = ledger.votes.get(key) ?? [false];
    ledger.votes.set(key, [...before, isVote]);
    const query = isVote ? UPVOTE : REMOVE_VOTE;
    const [sent] = await this.#send(isVote ? 'upvotePost' : 'removeVote', query, { postId });
    ledger.votes.set(key, after(sent, before, isVote));
    return sent !== 'unanswered';
  }

  async #changeStatus(): Promise<boolean> {
    const { random, statuses } = this.#options;
    const post = random.pick(this.#ownPosts);
    const status = random.pick(statuses);
    if (!post || !status) return this.#createPost();
    const { type, statusId, id } = status;
    const text = random.next() < 0.3 ? 'Moved' : null;
    const variables = { postId: post.id, type, statusId, text };
    const before = post.statusId;
    const [sent] = await this.#send('changePostStatus', CHANGE_STATUS, variables, ADMIN);
    post.statusId = after(sent, before, id);
    return sent !== 'unanswered';
  }

  async #deleteComment(): Promise<boolean> {
    const id = this.#ownComments.pop();
    const comment = id && this.#options.ledger.comments.get(id);
    if (!comment) return this.#createComment();
    const [sent] = await this.#send('deleteComment', DELETE_COMMENT, { id });
    comment.isDeleted = after(sent, comment.isDeleted, true);
    return sent !== 'unanswered';
  }

  async #deletePost(): Promise<boolean> {
    const post = this.#ownPosts.pop();
    if (!post) return this.#createPost();
    const [sent] = await this.#send('deletePost', DELETE_POST, { postId: post.id }, ADMIN);
    post.isDeleted = after(sent, post.isDeleted, true);
    return sent !== 'unanswered';
  }

  async #send(
    field: string,
    query: string,
    variables: Record<string, unknown>,
    as = this.#userId,
  ): Promise<[Sent, Fields[string]]> {
    const { client, ledger, unexpected } = this.#options;
    const reply = await client.send(query, variables, as).catch(() => null);
    if (!reply) return ['unanswered', undefined];
    const [error] = reply.errors;
    if (error) {
      const problem = unexpected(error.extensions.code, error.message);
      if (problem !== null) ledger.problems.push(`${field}: ${problem}`);
      return [error.extensions.code === 'NOT_FOUND' ? 'refused' : 'unsure', undefined];
    }
    ledger.acknowledged++;
    return ['acknowledged', reply.data?.[field]];
  }

  #anyPost(): string | undefined {
    const { ledger, random } = this.#options;
    const posts = [...ledger.posts.keys()];
    return random.pick(posts.slice(-POPULAR_POSTS));
  }
}

/** What may be true of a value after a change to it was sent. */
function after<T>(sent: Sent, before: Possible<T>, changed: T): Possible<T> {
  if (sent === 'acknowledged') return [changed];
  return sent === 'refused' ? before : [...before, changed];
}
