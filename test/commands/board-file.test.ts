import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testCommandLine } from '../support/command-line.ts';
import { makeFile } from '../support/import-files.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

testCommandLine('what is dumped goes through a pipe and a file, and is applied once', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  // The pipe is empty for a second.
  const piped = `(sleep 1; "${process.execPath}" "${main}" dump) | "${process.execPath}" "${main}" plan -`;
  const env = { ...process.env, ...line.env };
  assert.equal(execFileSync('sh', ['-c', piped], { env, encoding: 'utf8' }), 'Nothing to change.\n');
  const { stdout } = await line.run('dump');
  const file = makeFile(
    t,
    'board.yaml',
    stdout.replace('isIndexed: true', 'isIndexed: false').replace('tags: []', 'tags: [{ name: Mobile }]'),
  );
  const planned = await line.run('plan', file);
  assert.match(planned.stdout, /^~ board: isIndexed: true → false\n\+ tag “Mobile”: .*\n2 changes to make\.\n$/);
  assert.match((await line.run('apply', file)).stdout, /2 changes made\.\n$/);
  assert.deepEqual(await line.json('apply', file), { changes: [], others: [] });
  writeFileSync(file, `earshot: 1\nboard: { nmae: x }\n`);
  const refused = await line.run('apply', file);
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^board: .*nmae/);
  const { properties } = JSON.parse((await line.run('dump', '--schema')).stdout);
  assert.deepEqual(Object.keys(properties), ['earshot', 'board', 'statuses', 'tags', 'fields']);
  assert.equal((await line.run('plan', join(file, 'nothing'))).status, 1);
});
