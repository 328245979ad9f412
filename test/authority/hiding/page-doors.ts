import { listPaths } from '../../support/page-paths.ts';
import type { TestWeb, WebVisitor } from '../../support/web.ts';
import type { Asker, Door } from './api-doors.ts';
import type { World } from './world.ts';

const ON_DOMAIN = ['/', '/posts.atom', '/changelog.atom', '/sitemap.xml', '/robots.txt'];
const SEARCHES = [
  '?q=kilimanjaro',
  '?q=kilimanjaro&sort=newest',
  '?sort=newest',
  '?sort=oldest',
  '?sort=top',
  '?sort=trending',
  '?status=merged',
  '?author=me',
  '?following=1',
];

/** Every page, form, feed and picture, for a viewer with a browser. */
export function listPageDoors(web: TestWeb, { ideas, files }: World, visitor: WebVisitor, asker: Asker): Door[] {
  const get = (url: string, headers?: Record<string, string>): Door => ({
    ...asker,
    address: `${headers?.host ?? ''}${url}`,
    async open() {
      web.clock.advance(1_000); // so that requests are not too many
      const { statusCode, payload, headers: answered } = await visitor.get(url, headers);
      if (statusCode === 429 || statusCode >= 500) throw new Error(`${url} answers ${statusCode} to ${asker.name}`);
      const text = url.endsWith('/settings/data/file') && statusCode === 200 ? withoutMails(payload) : payload;
      return `${answered.location ?? ''} ${text}`;
    },
  });
  const paths = listPaths({ pid: 'acme', number: '1', token: 'x', step: '2', file: '1.xml', id: 'ann' })
    .filter((path) => !path.includes('sign-out') && path.startsWith('/b/') && !path.includes('/1'))
    .concat('/', '/sitemap.xml', '/b/acme/sitemap/1.xml', '/b/acme/settings/export/file?format=jsonl');
  const ofIdeas = ideas.flatMap(({ number }) => [
    ...['x', 'x?page=2', 'x.data', 'feed.atom'].map((page) => `/b/acme/posts/${number}/${page}`),
    ...[`votes/${number}`, `voters/${number}`, `voters/${number}/file`, `triage/all/${number}`].map(
      (page) => `/b/acme/${page}`,
    ),
    `/embed/b/acme/posts/${number}/x`,
  ]);
  const lists = [
    ...SEARCHES.map((query) => `/b/acme${query}`),
    ...['b/acme.data', 'b/acme/roadmap.data', 'embed/b/acme', 'embed/b/acme/roadmap', 'embed/b/acme/changelog'].map(
      (path) => `/${path}`,
    ),
    '/b/acme/similar?title=Kilimanjaro',
    '/embed/b/acme/similar?title=Kilimanjaro',
    '/b/acme/mentions?q=ann',
    '/b/acme/triage/all',
    '/b/acme/people',
  ];
  return [
    ...[...paths, ...ofIdeas, ...lists, ...files.map(({ url }) => new URL(url).pathname)].map((path) => get(path)),
    ...[...ON_DOMAIN, ...ideas.map(({ number }) => `/posts/${number}/x`)].map((path) =>
      get(path, { host: 'ideas.example.com' }),
    ),
  ];
}

/** What a user downloads about themselves, without mails whose content was public when they were sent. */
function withoutMails(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value) => (key === 'emails' ? [] : value));
}

/** Pictures of ideas for link previews, which show the title: given only where everyone sees it. */
export function listPictures(web: TestWeb, world: World, asker: Asker): Door[] {
  const hidden = world.ideas.filter((idea) => !world.mayShow(asker.scope, idea));
  return hidden.map(({ number, word }) => ({
    ...asker,
    address: `/b/acme/posts/${number}/picture.png`,
    async open() {
      const { statusCode } = await web.makeVisitor().get(`/b/acme/posts/${number}/picture.png`);
      return statusCode === 200 ? word : '';
    },
  }));
}
