import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Words that docs/glossary.md has replaced, and where they must not come back. */
const retired: [places: string[], words: RegExp][] = [
  [
    ['{src,test,bench,scripts}/**/*.ts', 'web/!(build|.react-router)/**/*.{ts,tsx}'],
    /\b(sightOf|BoardCall|Said|teller|makeSeal|lookingAs|changeLook|toldAfter|toldVisitors|judgement|releaseLines)\b/,
  ],
  [
    ['{src,test,bench,scripts,sdk/src}/**/*.ts', 'sdk/*.md', 'web/!(build|.react-router)/**/*.{ts,tsx}'],
    /\b([Cc]olours?|for good|[Mm]eanwhile|[Jj]ourneys?)\b/,
  ],
  [
    [
      'src/**/!(0012-drafts).ts',
      '{test,bench,scripts}/**/*.ts',
      'web/!(build|.react-router)/**/*.{ts,tsx}',
      'docs/**/*.md',
      'sdk/{*.md,src/*.ts}',
      'integrations/n8n/{*.md,{credentials,nodes}/**/*.ts}',
      '*.md',
    ],
    /\b([Ss]omebody|[Ee]verybody|[Ww]hoever|[Ss]trangers?)\b/,
  ],
  [
    [
      'src/**/!(*.test|0012-drafts).ts',
      'web/!(build|.react-router)/**/*.{ts,tsx}',
      'docs/**/*.md',
      'sdk/{*.md,src/*.ts}',
      'integrations/n8n/{*.md,{credentials,nodes}/**/*.ts}',
      '*.md',
    ],
    /\b[Nn]obody\b/,
  ],
  // In tests, `nobody` may be an id, an address or the user of the system, but stands in no title and no sentence.
  [
    ['{test,bench,scripts}/**/*.ts', 'src/**/*.test.ts'],
    /[a-z] [Nn]obody\b|(?<![@\w])[Nn]obody(['’]s)? [a-z]|\be-mail\b/,
  ],
  [
    ['web/i18n/en.json', 'schema.graphql', 'docs/{commands,reference,glossary}.md'],
    /\b([Ss]omebody|[Nn]obody|[Ww]hoever|colour|e-mail)\b/,
  ],
];

test('retired words stay out', () => {
  const found = retired.flatMap(([places, words]) =>
    globSync(places, { cwd: root, exclude: ['**/node_modules/**', 'test/house/**'] }).flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, n) => (words.test(line) ? [`${file}:${n + 1}: ${line.trim()}`] : [])),
    ),
  );
  assert.deepEqual(found, []);
});

test('docstrings stand alone: none begins by pointing at the one before', () => {
  const files = globSync('{src,web,test,scripts,bench,sdk/src}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', 'web/build/**', 'sdk/src/schema.ts'],
  });
  const pointing = /\/\*\*(\n\s+\*)? (Likewise|The same|Those|That of|As above)\b.*/;
  const found = files.flatMap((file) => pointing.exec(readFileSync(join(root, file), 'utf8'))?.[0] ?? []);
  assert.deepEqual(found, []);
});
