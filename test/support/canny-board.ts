import type { TestContext } from 'node:test';
import { CANNY_KEY } from './canny.ts';
import { startReceiver } from './receiver.ts';
import { Troubles } from './troubles.ts';

type Post = { id: string; title: string; details: string; status: string; created: string; statusChangedAt: string };

const board = { id: '553c3ef8b8cdcd1501ba1234', name: 'Feature Requests' };
const person = (name: string) => ({ id: `id-${name}`, name, email: `${name}@example.com`, userID: null });

/** What a board of Canny has, which tests change while it is read. */
export class CannyBoard {
  readonly posts: Post[] = [];
  readonly comments: { id: string; postId: string; value: string }[] = [];
  readonly votes: { postId: string; name: string }[] = [];

  add(title: string): Post {
    const n = this.posts.length + 1;
    const created = new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();
    const post = {
      id: `post${n}`,
      title,
      details: `Because of ${n}.`,
      status: 'open',
      created,
      statusChangedAt: created,
    };
    this.posts.push(post);
    return post;
  }
}

type Body = {
  apiKey: string;
  limit?: number;
  skip?: number;
  cursor?: string;
  boardID?: string;
  postID?: string;
  status?: string;
};

/** Statuses of ideas that are listed unless others are asked for. */
const SHOWN = 'open,under review,planned,in progress';

/** A server that answers as the reference of Canny's API says (developers.canny.io/api-reference), for a board that changes. */
export async function startCannyBoard(t: TestContext, source: CannyBoard, troubles = new Troubles()) {
  const { origin } = await startReceiver(t, ({ url, body }, response) => {
    if (troubles.strike(response)) return;
    const send = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const asked: Body = JSON.parse(body.toString());
    send(asked.apiKey === CANNY_KEY ? answerTo(source, url, asked) : { error: 'invalid apiKey' });
  });
  return { url: `${origin}/api/v1` };
}

function answerTo({ posts, comments, votes }: CannyBoard, url: string, asked: Body): object {
  const { limit = 10, skip = 0 } = asked;
  if (url === '/api/v1/boards/list') return { boards: [board] };
  if (url === '/api/v1/posts/list') {
    const shown = (asked.status ?? SHOWN).split(',');
    const found = posts
      .filter(({ status }) => shown.includes(status))
      .map((post) => ({
        ...post,
        author: person('ada'),
        board,
        category: null,
        commentCount: comments.filter(({ postId }) => postId === post.id).length,
        score: votes.filter(({ postId }) => postId === post.id).length,
        imageURLs: [],
        mergeHistory: [],
        tags: [],
      }));
    return { posts: found.slice(skip, skip + limit), hasMore: skip + limit < found.length };
  }
  const isWanted = ({ postId }: { postId: string }) => asked.postID === undefined || asked.postID === postId;
  const lists: Record<string, readonly object[]> = {
    '/api/v2/comments/list': comments.filter(isWanted).map(({ id, postId, value }) => ({
      id,
      value,
      post: { id: postId },
      author: person('ben'),
      created: '2024-02-01T00:00:00.000Z',
      internal: false,
      private: false,
      parentID: null,
      imageURLs: [],
    })),
    '/api/v2/votes/list': votes.filter(isWanted).map(({ postId, name }) => ({
      id: `${postId} ${name}`,
      post: { id: postId },
      voter: person(name),
      created: '2024-03-01T00:00:00.000Z',
    })),
  };
  const items = lists[url] ?? [];
  const from = Number(asked.cursor ?? 0);
  const hasNextPage = from + limit < items.length;
  return { items: items.slice(from, from + limit), hasNextPage, ...(hasNextPage && { cursor: String(from + limit) }) };
}
