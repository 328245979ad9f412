import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exportSite, type SiteOptions } from '../../src/operations/exports/site/site.ts';
import { findBuiltPages } from '../../src/pages/pages.ts';
import { makeTestApp, type TestApp } from './app.ts';
import { onEnd } from './cleanup.ts';
import { engines } from './store.ts';

/** An app whose pages are those of an export, and a folder for it. */
export type TestSite = TestApp & {
  folder: string;
  /** Exports the board as it is now. */
  write(options?: Partial<SiteOptions>): ReturnType<typeof exportSite>;
};

/** A test of an export as a site, on each engine. */
export function testSite(name: string, work: (site: TestSite, t: TestContext) => Promise<void>): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => {
      const app = await makeTestApp(t, engine, { web: true, isStatic: true });
      const folder = makeSiteFolder(t);
      await work({ ...app, folder, write: (options) => writeSite(app, { folder, ...options }) }, t);
    });
  }
}

/** An empty folder that is removed at the end. */
export function makeSiteFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-site-'));
  onEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Exports the board of an app. */
export async function writeSite(
  { app, db, clock, board }: TestApp,
  options: Partial<SiteOptions> & { folder: string },
  baseUrl = 'http://board.test',
): ReturnType<typeof exportSite> {
  const current = await db.read.selectFrom('boards').selectAll().where('id', '=', board.id).executeTakeFirstOrThrow();
  const context = { db, clock, baseUrl, board: current };
  const clientFolder = findBuiltPages()?.clientFolder ?? '';
  return exportSite(context, {
    url: null,
    clientFolder,
    async get(path) {
      const response = await app.inject({ url: path, headers: { host: 'board.test' } });
      const location = response.headers.location ?? null;
      return { status: response.statusCode, location: location && String(location), body: response.rawPayload };
    },
    ...options,
  });
}

/** The files of a site by their paths, except its state. */
export function readSite(folder: string): Map<string, Buffer> {
  const paths = globSync('**/*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path))]));
}

/** The pages of a site. */
export function readPages(folder: string): [path: string, html: string][] {
  return [...readSite(folder)].flatMap(([path, bytes]) => (path.endsWith('.html') ? [[path, bytes.toString()]] : []));
}

/** Makes sure that every link of a page within the site leads to one of its files. @returns how many there are */
export function assertLinksResolve(folder: string): number {
  const files = readSite(folder);
  let links = 0;
  for (const [page, html] of readPages(folder)) {
    for (const [, text = ''] of html.matchAll(/<[a-z][^>]* (?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|#)/.test(text)) continue;
      assert.doesNotMatch(text, /^\/|\?/, `${page} links ${text}`);
      const path = normalize(join(dirname(page), decodeURIComponent(text.split('#')[0] ?? '')));
      assert.ok(files.has(path), `${page} links ${text}, which is not there`);
      links++;
    }
  }
  return links;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.json': 'application/json',
  '.atom': 'application/atom+xml',
};

/** A file server that knows nothing of sites, below a path; gives its origin. */
export async function serveFolder(t: TestContext, folder: string, below: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
    try {
      assert.ok(path.startsWith(below));
      const file = join(folder, path.slice(below.length), path.endsWith('/') ? 'index.html' : '');
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(readFileSync(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}
