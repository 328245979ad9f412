import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The text without code, in which brackets are no links. */
function proseOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]+`/g, '');
}

/** The names under which the headings of a document can be linked to, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^```.*?^```$/gms, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** Links and pictures of a document that lead to a file, in Markdown and in HTML. */
function linksOf(file: string): string[] {
  const text = proseOf(file);
  const markdown = [...text.matchAll(/\]\(([^)\s]+)\)/g)];
  const html = [...text.matchAll(/(?:href|src|srcset)="([^"]+)"/g)];
  return [...markdown, ...html].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

test('links of documents lead to files and headings that exist', () => {
  const documents = ['*.md', '{docs,sdk,examples,bench,integrations}/**/*.md'].flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }),
  );
  const links = documents.flatMap((document) => linksOf(document).map((link) => ({ document, link })));
  assert.ok(links.length > 50);
  const broken = links.filter(({ document, link }) => {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? document : join(dirname(document), path);
    return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });
  assert.deepEqual(broken, []);
});

test('paths in the README can be followed', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8').replace(/^```.*?^```$/gms, '');
  const paths = [...text.matchAll(/(?<!\[)`([\w./-]+)`/g)].map(([, path = '']) => path);
  assert.deepEqual(
    paths.filter((path) => existsSync(join(root, path))),
    ['./data'].filter((path) => existsSync(join(root, path))),
  );
});
