import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('texts are normalised in one place, which bounds what that costs', () => {
  const places = ['{src,scripts,examples}/**/*.{ts,js,mjs}', 'web/**/*.{ts,tsx}'];
  const files = globSync(places, { cwd: root, exclude: ['**/*.test.ts', 'web/build/**'] });
  const normalising = /\.normalize\(|\.localeCompare\(|Intl\.Collator/;
  assert.deepEqual(
    files
      .filter((file) => normalising.test(readFileSync(join(root, file), 'utf8')))
      .map((file) => file.replaceAll('\\', '/')),
    ['src/platform/texts/normal-form.ts'],
  );
});
