import type { TestContext } from 'node:test';
import { startReceiver } from './receiver.ts';
import { Troubles } from './troubles.ts';

export const FIDER_KEY = 'fider-key';

type User = { id: number; name: string; email: string };
type Post = {
  id: number;
  number: number;
  title: string;
  description: string;
  status: string;
  tags: string[];
  user: User;
  response?: { text: string; respondedAt: string; user: User; original: { number: number } | null };
  comments: { id: number; content: string; user: User; createdAt: string }[];
  votes: { user: User; createdAt: string }[];
};

export const fiderUser = (id: number): User => ({ id, name: `Person ${id}`, email: `person${id}@example.com` });

/** What a board of Fider has, which tests change while it is read. */
export class FiderBoard {
  readonly posts: Post[] = [];
  #comments = 500;

  add(title: string, more: Partial<Post> = {}): Post {
    const number = this.posts.length + 1;
    const texts = { title, description: `Because of ${number}.`, status: 'open', tags: [] };
    const post = { id: 100 + number, number, ...texts, user: fiderUser(1), comments: [], votes: [], ...more };
    this.posts.push(post);
    return post;
  }

  comment(post: Post, content: string): void {
    const createdAt = new Date(Date.UTC(2024, 1, 1, 0, post.comments.length)).toISOString();
    post.comments.push({ id: this.#comments++, content, user: fiderUser(2), createdAt });
  }

  vote(post: Post, id: number): void {
    post.votes.push({ user: fiderUser(id), createdAt: '2024-03-01T00:00:00.123456Z' });
  }
}

const shown = ({ id, name }: User) => ({ id, name, role: 'visitor', status: 'active', avatarURL: '' });

/**
 * A server that answers as the source of Fider does (github.com/getfider/fider, commit 67c52826: app/handlers/apiv1,
 * app/models/entity, app/services/sqlstore/postgres): `view=all` leaves duplicates out, comments come newest first, and
 * only its team gets addresses.
 */
export async function startFider(t: TestContext, board: FiderBoard, troubles = new Troubles()) {
  const { origin, received } = await startReceiver(t, ({ url, headers }, response) => {
    if (troubles.strike(response)) return;
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const isOfTeam = headers.authorization === `Bearer ${FIDER_KEY}`;
    if (headers.authorization !== undefined && !isOfTeam)
      return send(400, { errors: [{ field: '', message: 'API Key is invalid' }] });
    const asked = new URL(url, origin);
    const found = asked.pathname.startsWith('/api/v1/') ? answerTo(board, asked, isOfTeam) : null;
    return found === null ? send(404, {}) : send(200, found);
  });
  return { url: origin, received };
}

function answerTo({ posts }: FiderBoard, { pathname, searchParams }: URL, isOfTeam: boolean): object | null {
  const path = pathname.slice('/api/v1/'.length);
  if (path === 'tags') return [{ id: 1, name: 'Night mode', slug: 'night-mode', color: '000000', isPublic: true }];
  if (path === 'users' && isOfTeam) {
    const page = Number(searchParams.get('page'));
    const users = [1, 2, 3, 4].map((n) => fiderUser(2 * (page - 1) + n)).slice(0, 2);
    return { users, totalCount: 40, totalPages: 20, page, limit: 2 };
  }
  if (path === 'posts') {
    const isWanted = ({ status }: Post) =>
      searchParams.get('view') === 'all' ? status !== 'duplicate' : status === searchParams.get('statuses');
    const found = posts.filter(isWanted).toReversed();
    const limit = searchParams.get('limit') === 'all' ? found.length : Number(searchParams.get('limit') || 30);
    return found.slice(0, limit).map(({ comments, votes, user, response, ...post }) => ({
      ...post,
      slug: `idea-${post.number}`,
      createdAt: new Date(Date.UTC(2024, 0, 1, 0, post.number)).toISOString(),
      user: shown(user),
      hasVoted: false,
      votesCount: votes.length,
      commentsCount: comments.length,
      isApproved: true,
      ...(response && { response: { ...response, user: shown(response.user) } }),
    }));
  }
  const [, number, part] = /^posts\/(\d+)\/(comments|votes)$/.exec(path) ?? [];
  const post = posts.find((known) => known.number === Number(number));
  if (!post) return null;
  if (part === 'comments')
    return post.comments.toReversed().map((comment) => ({ ...comment, user: shown(comment.user) }));
  return post.votes.map(({ user, createdAt }) => ({ user: isOfTeam ? user : { ...shown(user) }, createdAt }));
}
