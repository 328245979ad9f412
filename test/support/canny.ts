import type { TestContext } from 'node:test';
import { makePng } from './pictures.ts';
import { startReceiver } from './receiver.ts';

export const CANNY_KEY = '6fe2a8b1-canny';

const person = (n: number, more: object = {}) => ({
  id: `553c3ef8b8cdcd1501ba000${n}`,
  created: '2020-01-01T00:00:00.000Z',
  isAdmin: n === 1,
  url: '',
  name: `Person ${n}`,
  email: `person${n}@example.com`,
  userID: null,
  ...more,
});
const features = { id: '553c3ef8b8cdcd1501ba1234', created: '2017-07-15T22:11:00.000Z', name: 'Feature Requests' };
const bugs = { id: '553c3ef8b8cdcd1501ba5678', created: '2017-07-15T22:11:00.000Z', name: 'Bugs' };

/** How many ideas the board of features has, more than fit on a page. */
export const CANNY_IDEAS = 130;

function makePosts(origin: string) {
  return Array.from({ length: CANNY_IDEAS }, (_, n) => ({
    id: `post${n}`,
    title: `Idea ${n}`,
    details: n === 1 ? '' : `Because of ${n}.`,
    score: 1,
    commentCount: 0,
    author: person(2),
    board: features,
    by: null,
    category: null,
    customFields: [],
    eta: null,
    imageURLs: [],
    created: new Date(Date.UTC(2021, 0, 1, 0, n)).toISOString(),
    mergeHistory: [],
    owner: null,
    tags: [],
    status: 'open',
    statusChangedAt: '',
    url: `${origin}/feature-requests/p/idea-${n}`,
    ...(n === 0 && {
      commentCount: 4,
      status: 'in progress',
      tags: [{ id: 't1', name: 'mobile' }],
      category: { name: 'Apps' },
      imageURLs: [`${origin}/images/one.png`, `${origin}/images/gone.png`, `${origin}/images/fake.png`, 'nonsense'],
      mergeHistory: [
        {
          created: '2021-02-01T00:00:00.000Z',
          post: { id: 'merged', title: 'The same', details: 'Again.', created: '2021-01-02T00:00:00.000Z' },
        },
      ],
    }),
  }));
}

const comment = (id: string, created: string, more: object) => ({
  id,
  created,
  board: features,
  imageURLs: [],
  internal: false,
  likeCount: 0,
  mentions: [],
  private: false,
  parentID: null,
  post: { id: 'post0' },
  author: person(3),
  ...more,
});

function makeComments(origin: string) {
  // The newest first.
  return [
    comment('c4', '2021-01-05T00:00:00.000Z', { value: '', imageURLs: [`${origin}/images/two.png`] }),
    comment('c3', '2021-01-04T00:00:00.000Z', { value: 'Between us', internal: true }),
    comment('c2', '2021-01-03T00:00:00.000Z', {
      value: 'Me too',
      parentID: 'c1',
      author: person(4, { userID: 'u-4' }),
    }),
    comment('c1', '2021-01-02T00:00:00.000Z', { value: 'Yes please', author: person(4, { userID: 'u-4' }) }),
  ];
}

type Body = { apiKey: string; limit?: number; skip?: number; cursor?: string; boardID?: string; postID?: string };

/**
 * A server that answers as the reference of Canny's API says (developers.canny.io/api-reference): lists of version 1 with
 * `skip` and `hasMore`, those of version 2 with `cursor` and `hasNextPage`. Every eleventh request finds it busy.
 */
export async function startCanny(t: TestContext, boards: readonly object[] = [features, bugs]) {
  const { origin, received } = await startReceiver(t, ({ url, body }, response) => {
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(value));
    if (url.startsWith('/images/')) {
      if (url === '/images/gone.png') return response.writeHead(404).end();
      return response.writeHead(200).end(url === '/images/fake.png' ? '<html>no picture</html>' : makePng(3, 2));
    }
    if (received.length % 11 === 0) return send(received.length % 2 === 0 ? 429 : 503, { error: 'busy' });
    const asked: Body = JSON.parse(body.toString());
    if (asked.apiKey !== CANNY_KEY) return send(200, { error: 'invalid apiKey' });
    return send(200, answerTo(url, asked, origin, boards));
  });
  return { url: `${origin}/api/v1`, received };
}

function answerTo(url: string, asked: Body, origin: string, boards: readonly object[]): object {
  if (url === '/api/v1/boards/list') return { boards };
  if (url === '/api/v1/posts/list') {
    const { skip = 0, limit = 10 } = asked;
    const posts = asked.boardID === features.id ? makePosts(origin) : [];
    return { posts: posts.slice(skip, skip + limit), hasMore: skip + limit < posts.length };
  }
  const lists: Record<string, readonly object[]> = {
    '/api/v2/comments/list': asked.postID === 'post0' ? makeComments(origin) : [],
    '/api/v2/votes/list': Array.from({ length: CANNY_IDEAS }, (_, n) => ({
      id: `v${n}`,
      board: features,
      by: null,
      created: '2021-03-01T00:00:00.000Z',
      post: { id: `post${n}` },
      voter: person(5 + (n % 2)),
    })),
    '/api/v2/status_changes/list': [
      {
        ...{
          id: 's1',
          created: '2021-02-01T00:00:00.000Z',
          changer: person(1),
          post: { id: 'post0' },
          status: 'in progress',
        },
        changeComment: { value: 'We have begun', imageURLs: [] },
      },
      {
        id: 's2',
        created: '2021-02-02T00:00:00.000Z',
        changer: person(1),
        post: { id: 'post1' },
        status: 'open',
        changeComment: { value: '', imageURLs: [] },
      },
    ],
  };
  const items = lists[url] ?? [];
  const from = Number(asked.cursor ?? 0);
  const to = from + (asked.limit ?? 10);
  const hasNextPage = to < items.length;
  return { items: items.slice(from, to), hasNextPage, ...(hasNextPage && { cursor: String(to) }) };
}
