import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { addWebhook } from '../../src/cli/webhook/webhook.ts';
import { eventTypes } from '../../src/feedback/event-log/event-types.ts';
import { settings } from '../../src/platform/config.ts';
import { errorCatalogue } from '../../src/platform/errors.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The names in backticks that begin the rows of a document's tables. */
function rowNames(file: string, form: RegExp): string[] {
  const names = [...read(file).matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  return names.filter((name) => form.test(name)).sort();
}

test('docs/errors.md lists exactly the codes of the catalogue, with their status', () => {
  assert.deepEqual(rowNames('docs/errors.md', /^[A-Z_]+$/), Object.keys(errorCatalogue).sort());
  const document = read('docs/errors.md');
  const wholeRequest = /^(UNAUTHENTICATED|PLAN_|IP_|RATE_|PAYLOAD_|SERVICE_|INTERNAL_|FORBIDDEN)/;
  for (const [code, status] of Object.entries(errorCatalogue)) {
    if (wholeRequest.test(code)) assert.match(document, new RegExp(`\`${code}\` \\| ${status}`));
  }
});

test('docs/configuration.md lists exactly the settings, with their defaults', () => {
  assert.deepEqual(rowNames('docs/configuration.md', /^[A-Z_]+$/), Object.keys(settings).sort());
  const document = read('docs/configuration.md');
  for (const [name, { fallback }] of Object.entries(settings)) {
    if (fallback !== '')
      assert.ok(document.includes(`| \`${name}\` | ${fallback} |`), `${name} has the default ${fallback}`);
  }
});

test('docs/api.md lists exactly the events that features define', () => {
  const files = globSync('src/**/*.events.ts', { cwd: root });
  const defined = files.flatMap((file) =>
    [...read(file).matchAll(/defineEvent\(\s*'([\w.]+)'/g)].map(([, type = '']) => type),
  );
  assert.ok(defined.length > 0);
  assert.deepEqual(rowNames('docs/api.md', /^\w+(\.\w+)+$/), defined.sort());
});

test('docs/webhooks.md has a section for each event and a row for each command', () => {
  const document = read('docs/webhooks.md');
  const sections = [...document.matchAll(/^### `([\w.]+)`$/gm)].map(([, type = '']) => type);
  assert.deepEqual(sections.sort(), [...eventTypes].sort());
  const program = new Command();
  addWebhook(program, {}, { out() {}, error() {} });
  const commands = program.commands[0]?.commands.map((command) => `webhook ${command.name()}`) ?? [];
  const rows = [...document.matchAll(/^\| (.*?[^\\]) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/webhook \w+/g) ?? [],
  );
  assert.deepEqual([...new Set(rows)].sort(), commands.sort());
});

test('documents name only files that exist', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'examples/README.md',
    'sdk/README.md',
    'integrations/n8n/README.md',
    ...globSync('docs/**/*.md', { cwd: root }),
  ];
  const missing = documents.flatMap((document) =>
    [
      ...read(document).matchAll(
        /`((?:src|docs|test|bench|scripts|examples|sdk|deploy|integrations)\/[\w./-]*|[\w-]+\.(?:md|json|yaml))`(?!, new)/g,
      ),
    ]
      .map(([, path = '']) => path)
      .filter((path) => globSync(`${path.replace(/\/$/, '')}*`, { cwd: root }).length === 0)
      .map((path) => `${document}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('the README is short', () => {
  assert.ok(read('README.md').split('\n').length <= 150);
});
