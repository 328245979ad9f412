import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentFor, runCommand } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';

for (const engine of engines) {
  test(`the command line writes the same, to a file or to standard output [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const env = environmentFor(place);
    await runCommand(['board', 'create', '--name', 'Acme'], env);
    await runCommand(['seed', '--posts', '30'], env);
    const piped = await runCommand(['export', '--format', 'jsonl', '--comments', '--votes'], env);
    assert.equal(piped.status, 0, piped.stderr);
    assert.equal(piped.stderr, '');
    const rows = piped.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).row);
    assert.equal(rows.filter((row) => row === 'post').length, 30);
    assert.deepEqual(new Set(rows), new Set(['post', 'comment', 'vote', 'changelogEntry']));
    const file = join(place.dataDir, 'out.jsonl');
    const args = ['export', '--format', 'jsonl', '--comments', '--votes', '--out', file, '--json'];
    const { stdout, status } = await runCommand(args, env);
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), { file, posts: 30 });
    assert.equal(readFileSync(file, 'utf8'), piped.stdout);
    assert.match((await runCommand(['export'], env)).stdout, /^Post,URL,Title,/);
    assert.match((await runCommand(['export', '--bom'], env)).stdout, /^\ufeffPost,URL,Title,/);
    assert.equal((await runCommand(['export', '--out', join(place.dataDir, 'no/such/folder/x')], env)).status, 1);
    assert.equal((await runCommand(['export', '--format', 'xml'], env)).status, 2);
  });
}
