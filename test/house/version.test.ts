import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compareVersions, isVersion, readNotes, readVersions } from '../../scripts/versions.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(read('package.json'));

test('every place that has the version has that of package.json', () => {
  const wrong = Object.entries(readVersions(root)).filter(([, found]) => found.some((other) => other !== version));
  assert.deepEqual(wrong, []);
  const { version: ofLock, packages } = JSON.parse(read('package-lock.json'));
  assert.deepEqual([ofLock, packages[''].version], [version, version]);
});

test('a release sets the version of every file that has one', () => {
  const files = execFileSync('git', ['ls-files', '*.json'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const versioned = files.filter((file) => typeof JSON.parse(read(file)).version === 'string');
  assert.deepEqual(versioned.sort(), Object.keys(readVersions(root)).sort());
});

test('the changelog has the notes of the version, with what to do when upgrading first', () => {
  const sections = read('CHANGELOG.md')
    .split(/^(?=## )/m)
    .filter((section) => section.startsWith('## ') && !section.startsWith('## Unreleased\n'));
  assert.match(readNotes(sections.join(''), version) ?? '', /^[^#]*### What to do when upgrading\n/);
});

test('versions are three numbers, in the order of semantic versions', () => {
  assert.deepEqual(['1.0.0', '10.20.30', '1.0', 'v1.0.0', '1.0.0-rc.1', '01.0.0', ''].map(isVersion), [
    ...[true, true],
    ...[false, false, false, false, false],
  ]);
  const sorted = ['2.0.0', '1.10.0', '1.9.1', '1.9.0', '10.0.0'].sort(compareVersions);
  assert.deepEqual(sorted, ['1.9.0', '1.9.1', '1.10.0', '2.0.0', '10.0.0']);
});

test('notes are those of the topmost section, with a date', () => {
  const changelog = '# Changelog\n\nAbout.\n\n## 1.1.0 — 2027-01-31\n\n- News.\n\n## 1.0.0 — 2026-12-01\n\n- Old.\n';
  assert.equal(readNotes(changelog, '1.1.0'), '- News.');
  for (const other of ['1.0.0', '1.1.1', '1.1']) assert.equal(readNotes(changelog, other), null, other);
  assert.equal(readNotes('## 1.1.0\n\n- News.\n', '1.1.0'), null);
  assert.equal(readNotes('## 1.1.0 — 2027-01-31\n\n## 1.0.0 — 2026-12-01\n\n- Old.\n', '1.1.0'), null);
});
