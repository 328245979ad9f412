import assert from 'node:assert/strict';
import { publishNew } from '../../test/support/changelog.ts';
import { type TestWeb, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { seedBoard } from '../operations/sample/seed.ts';

/** Pages that a crawl follows; there are more, of the same kinds. */
const MAX_PAGES = 80;

type Link = { href: string; name: string };

/** The links of a page, with what they are called. */
function linksOf(html: string): Link[] {
  return [...html.matchAll(/<a\s([^>]*)>(.*?)<\/a>/gs)].map(([, attributes = '', content = '']) => ({
    href: (/href="([^"]*)"/.exec(attributes)?.[1] ?? '').replaceAll('&amp;', '&'),
    name: /aria-label="([^"]+)"/.exec(attributes)?.[1] ?? textOf(content),
  }));
}

function textOf(html: string): string {
  const alternatives = [...html.matchAll(/alt="([^"]+)"/g)].map(([, alt]) => alt);
  return [html.replace(/<[^>]*>/g, ''), ...alternatives].join('').trim();
}

/** Follows the links of pages from one on, and gives those that lead nowhere or have no name. */
async function crawl(visitor: WebVisitor, start: string): Promise<{ pages: number; wrong: string[] }> {
  const found = new Map<string, string>();
  const wrong: string[] = [];
  const waiting = [start];
  for (let path = waiting.shift(); path !== undefined && found.size < MAX_PAGES; path = waiting.shift()) {
    if (found.has(path)) continue;
    const { statusCode, payload, headers } = await visitor.get(path);
    if (statusCode >= 400) wrong.push(`${path}: ${statusCode}`);
    found.set(path, payload);
    if (!/html/.test(String(headers['content-type']))) continue;
    for (const { href, name } of linksOf(payload)) {
      if (name === '') wrong.push(`${path}: the link to ${href} has no name`);
      const { origin, pathname, search, hash } = new URL(href, `http://board.test${path}`);
      if (origin !== 'http://board.test' || pathname === '/sign-out') continue;
      if (hash && pathname + search === path && !payload.includes(`id="${decodeURIComponent(hash.slice(1))}"`)) {
        wrong.push(`${path}: nothing is at ${hash}`);
      }
      waiting.push(pathname + search);
    }
  }
  return { pages: found.size, wrong };
}

async function fill(web: TestWeb): Promise<void> {
  const { db, clock, board } = web;
  await seedBoard({ db, clock, board, baseUrl: 'http://board.test' }, 30);
  await publishNew(web, { title: 'Dark mode is here', text: 'See the [roadmap](/b/acme/roadmap).' });
}

testWeb('every link that a visitor finds leads to a page, and has a name', async (web) => {
  await web.makeMember('Olga', 'OWNER');
  await fill(web);
  const { pages, wrong } = await crawl(web.makeVisitor(), '/b/acme');
  assert.deepEqual(wrong, []);
  assert.ok(pages > 50, `${pages} pages`);
});

testWeb('every link that an owner finds in the settings leads to a page, and has a name', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  await fill(web);
  const { pages, wrong } = await crawl(owner, '/b/acme/settings');
  assert.deepEqual(wrong, []);
  assert.ok(pages > 30, `${pages} pages`);
});
