import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { PNG, type UploadedFile } from '../support/files.ts';
import { environmentFor, runCommand, startServer } from '../support/process.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';

/** The `curl` line of the README that registers a user, and those of the section about files, in their order. */
function readExamples(): string[] {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const blocks = (text: string) => [...text.matchAll(/^```sh\n(curl.*?)^```/gms)].map(([, block = '']) => block);
  const section = read('docs/api.md').split('\n## Files\n')[1]?.split('\n## ')[0] ?? '';
  return [...blocks(read('README.md')).filter((block) => block.includes('createUser')), ...blocks(section)];
}

/** Starts a server and carries the examples out, beside a screenshot; gives what they printed. */
async function runExamples(t: TestContext, place: StorePlace) {
  const server = await startServer(t, environmentFor(place));
  const [key = ''] = /esk_[\w-]{43}/.exec(server.stdout()) ?? [];
  writeFileSync(join(place.dataDir, 'screenshot.png'), PNG);
  const [register = '', upload = '', ...others] = readExamples();
  const run = async (example: string, variables: Record<string, string>) => {
    const script = example.replaceAll('http://localhost:4000', server.url);
    const env = { ...process.env, KEY: key, ...variables };
    return JSON.parse((await promisify(execFile)('sh', ['-c', script], { cwd: place.dataDir, env })).stdout);
  };
  await run(register, {});
  const file: UploadedFile = await run(upload, {});
  const answers = [];
  for (const other of others) answers.push(await run(other, { FILE: file.id }));
  return { server, file, answers };
}

for (const engine of engines) {
  test(`the requests of docs/api.md about files work as pasted [${engine}]`, async (t) => {
    const { server, file, answers } = await runExamples(t, await makeStorePlace(t, engine));
    assert.deepEqual([file.name, file.contentType, file.size], ['screenshot.png', 'image/png', PNG.length]);
    const served = await fetch(server.url + new URL(file.url).pathname);
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), PNG);
    assert.deepEqual(
      answers.map(({ data }) => data.createPost.files),
      [[{ name: file.name, url: file.url }]],
    );
  });
}

test('backup takes uploaded files along, and docs/self-hosting.md brings them back', async (t) => {
  const place = await makeStorePlace(t, 'sqlite');
  const { server, file } = await runExamples(t, place);
  const copy = join(place.dataDir, 'copy.db');
  const { stdout } = await runCommand(['backup', copy, '--json'], environmentFor(place));
  const { files, filesFolder } = JSON.parse(stdout);
  assert.deepEqual([files, filesFolder], [1, `${copy}.files`]);
  rmSync(copy);
  const again = await runCommand(['backup', copy], environmentFor(place));
  assert.match(again.stderr, /copy\.db\.files already exists/);
  assert.ok(!existsSync(copy));
  rmSync(`${copy}.files`, { recursive: true });
  await runCommand(['backup', copy], environmentFor(place));
  await server.end('SIGTERM');

  const restored = await makeStorePlace(t, 'sqlite');
  cpSync(copy, join(restored.dataDir, 'earshot.db'));
  cpSync(`${copy}.files`, join(restored.dataDir, 'files'), { recursive: true });
  const lacking = await runCommand(['serve'], environmentFor(restored));
  assert.match(lacking.stderr, /secret\.key is missing/);
  cpSync(join(place.dataDir, 'secret.key'), join(restored.dataDir, 'secret.key'));
  const second = await startServer(t, environmentFor(restored));
  const served = await fetch(second.url + new URL(file.url).pathname);
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), PNG);
});
