import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { environmentFor, runCommand, startServer } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';

const SCRIPT = fileURLToPath(new URL('../../examples/import/import.mjs', import.meta.url));
const POSTS = 500;

type Ended = { status: number | null; stdout: string; stderr: string };

function run(args: readonly string[], env: Record<string, string>, killAfterMs?: number): Promise<Ended> {
  const child = spawn(process.execPath, [SCRIPT, ...args], { env: { PATH: process.env.PATH ?? '', ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, ...output })));
}

for (const engine of engines) {
  test(`the import can be killed and started again, and brings each post once [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const server = await startServer(t, environmentFor(place));
    const key = await runCommand(
      ['key', 'create', '--name', 'import', '--rate', 'none', '--json'],
      environmentFor(place),
    );
    const apiKey: string = JSON.parse(key.stdout).key;
    const ask = async (query: string, as = 'importer') => {
      const headers = { 'content-type': 'application/json', apikey: apiKey, ssotype: 'SSO', ssoid: as };
      const response = await fetch(`${server.url}/api/v1/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as { data: Record<string, never>; errors?: unknown };
    };
    await ask('mutation { createUser(ssotype: "SSO", userId: "importer", name: "Import", isApiUser: true) { id } }');
    const file = join(place.dataDir, 'posts.jsonl');
    const lines = Array.from({ length: POSTS }, (_, n) =>
      JSON.stringify({
        externalId: `old-${n}`,
        title: `Größe "${n}" \\ 🌒`,
        ...(n % 3 > 0 && { text: `Line one\nline ${n}` }),
        ...(n % 2 > 0 && { author: { ssotype: 'SSO', userId: `old-user-${n % 7}`, name: `Person ${n % 7}` } }),
        dateCreated: new Date(1_700_000_000_000 + n * 1_000).toISOString(),
      }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    const env = { EARSHOT_URL: server.url, EARSHOT_KEY: apiKey, EARSHOT_SSOID: 'importer' };
    for (const ms of [150, 250, 400]) await run([file], env, ms);
    const ended = await run([file], env);
    assert.equal(ended.status, 0, ended.stderr);
    assert.match((await run([file], env)).stdout, /^Imported 0 posts/);

    const exported = await fetch(`${server.url}/api/jsonl?apikey=${apiKey}`);
    const posts = (await exported.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(posts.length, POSTS);
    for (const post of posts) {
      const source = JSON.parse(lines[Number(post.externalId.slice(4))] ?? '');
      assert.deepEqual(
        [post.title, post.text, post.dateCreated, post.author.name],
        [source.title, source.text ?? null, source.dateCreated, source.author?.name ?? 'Import'],
      );
    }
    writeFileSync(file, JSON.stringify({ externalId: 'wrong', title: '' }));
    writeFileSync(`${file}.progress`, JSON.stringify({ batches: 0 }));
    const wrong = await run([file], env);
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /title must have 1 to 200 characters.*post wrong/);
    await server.end('SIGTERM');
  });
}
