import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('../../web/', import.meta.url));

/** What browsers may refuse, and merely naming it may throw; and the only file that names it. */
const REFUSED: readonly [names: RegExp, file: string | null][] = [
  [/\b(sessionStorage|localStorage|document\.cookie)\b/, 'lib/browser-storage.ts'],
  [/\b(navigator\.clipboard|execCommand\('copy'\))/, 'lib/clipboard.ts'],
  [/\b(indexedDB|cookieStore|BroadcastChannel|SharedWorker|crypto\.(subtle|randomUUID))\b|\bcaches\./, null],
  [/\bnavigator\.(locks|permissions|storage)\b/, null],
  [/\bnavigator\.serviceWorker\b/, 'parts/frame/kept.ts'],
];

test('pages, tools and the widget use what browsers may refuse through one file only', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['build/**', '.react-router/**'] }).flatMap((file) => {
    const text = readFileSync(join(web, file), 'utf8');
    return REFUSED.flatMap(([names, only]) => (file !== only && names.exec(text)?.[0]) || []).map(
      (name) => `${file}: ${name}`,
    );
  });
  assert.deepEqual(found, []);
});
