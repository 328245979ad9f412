import type { LoaderFunctionArgs } from 'react-router';
import { visitContext } from '../lib/visit.ts';
import { originOf } from '../parts/requests/board-of-host.ts';

/** What no search engine has to look at. What it may look at and not show says so itself, see `web/parts/requests/head.ts`. */
const CLOSED = [
  ...['/api/', '/b/*/settings/', '/b/*/sso/', '/b/*/votes/'],
  ...['/sign-in', '/sign-up/', '/join/', '/email/', '/sso/'],
];

export async function loader({ context }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const origin = await originOf(visit);
  const lines = [
    'User-agent: *',
    ...CLOSED.map((path) => `Disallow: ${visit.prefix}${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
  ];
  return new Response(`${lines.join('\n')}\n`, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
