import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const client = fileURLToPath(new URL('../../web/build/client/', import.meta.url));
type Chunk = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean; isDynamicEntry?: boolean };
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(`${client}.vite/manifest.json`, 'utf8'));

/** What a browser loads for a page: the entry and the routes around it, with all they import. */
function filesOf(routes: readonly string[]): { js: string[]; css: string[] } {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const imported of manifest[name]?.imports ?? []) visit(imported);
  };
  const entries = Object.keys(manifest).filter((name) => name.includes('entry.client'));
  const ofRoutes = routes.map((route) => {
    const name = Object.keys(manifest).find((key) => key.startsWith(`${route}?`) || key === route);
    assert.ok(name, `${route} is not in the manifest`);
    return name;
  });
  for (const name of [...entries, ...ofRoutes]) visit(name);
  const chunks = [...seen].flatMap((name) => manifest[name] ?? []);
  return {
    js: [...new Set(chunks.map((chunk) => chunk.file))],
    css: [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))],
  };
}

/** Bytes as they travel: each file has its Brotli form beside it. */
function weigh(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(`${client}${file}.br`).length, 0);
}

/** The texts of a page, in the language in which they weigh most. */
function weighTexts(part: 'pages' | 'settings'): number {
  const files = globSync(`assets/*.${part}-*.js`, { cwd: client });
  assert.ok(files.length > 1, `texts of ${part}`);
  return Math.max(...files.map((file) => weigh([file])));
}

const KB = 1_000;

test('public pages are light: at most 125 KB of scripts in 10 requests, and 15 KB of styles', () => {
  for (const page of ['posts/list/list.tsx', 'post/post.tsx', 'roadmap/roadmap.tsx']) {
    const { js, css } = filesOf(['root.tsx', 'site/board.tsx', page]);
    const requests = js.length + 2; // the list of routes, and the texts
    assert.ok(requests <= 10, `${page}: ${requests} requests`);
    const scripts = weigh(js) + weighTexts('pages');
    assert.ok(scripts <= 125 * KB, `${page}: ${scripts} bytes of scripts`);
    assert.ok(weigh(css) <= 15 * KB, `${page}: ${weigh(css)} bytes of styles`);
  }
});

test('a first visit of the board takes at most 161 KB, with 10 KB for the page itself', () => {
  const { js, css } = filesOf(['root.tsx', 'site/board.tsx', 'posts/list/list.tsx']);
  const assets = readdirSync(`${client}assets`);
  const font = assets.filter((name) => /^figtree-latin-wght.*woff2$/.test(name)).map((name) => `assets/${name}`);
  const sprite = assets.filter((name) => /^sprite-.*svg$/.test(name)).map((name) => `assets/${name}`);
  assert.equal(font.length + sprite.length, 2);
  const fontBytes = statSync(client + font[0]).size;
  const total = weigh([...js, ...css, ...sprite]) + fontBytes;
  assert.ok(total <= 151 * KB, `${total} bytes`);
});

test('parts that are loaded later import no styles, which nothing would load', () => {
  const later = Object.values(manifest).filter(({ isDynamicEntry }) => isDynamicEntry);
  assert.ok(later.length >= 5);
  assert.deepEqual(
    later.flatMap(({ css = [] }) => css),
    [],
  );
});

test('settings load at most 220 KB of scripts', () => {
  const pages = Object.keys(manifest).filter((name) => /^(settings|account)\/.*\.tsx\?/.test(name));
  assert.ok(pages.length >= 7);
  for (const page of pages) {
    const { js } = filesOf(['root.tsx', 'site/board.tsx', page.replace(/\?.*/, '')]);
    const scripts = weigh(js) + weighTexts('pages') + weighTexts('settings');
    assert.ok(scripts <= 220 * KB, `${page}: ${scripts} bytes of scripts`);
  }
});

test('the script of the widget is at most 8 KB', () => {
  const { length } = readFileSync(`${client}../widget/widget.js.br`);
  assert.ok(length <= 8 * KB, `${length} bytes`);
});

test('what only settings and the tools need is in no public chunk', () => {
  const { js } = filesOf(['root.tsx', 'site/board.tsx', 'posts/list/list.tsx', 'post/post.tsx']);
  const text = js.map((file) => readFileSync(client + file, 'utf8')).join('\n');
  for (const foreign of ['monaco', 'graphiql', 'markdown-it', 'sanitize-html', 'better-auth', 'GraphQLError']) {
    assert.ok(!text.includes(foreign), foreign);
  }
});
