import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environmentFor, runCommand } from '../support/process.ts';
import { roundsOf } from '../support/rounds.ts';
import { assertLinksResolve, makeSiteFolder, readSite } from '../support/site.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const POSTS = 120;
const KILLS = roundsOf('SITE_KILLS', { short: 1, long: 20 });

/** Kills an export some time after it has begun to write posts. */
async function killWhileWriting(folder: string, env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'export', '--site', folder], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const state = join(folder, '.earshot-site');
  const sizeOf = () => (existsSync(state) ? statSync(state).size : 0);
  const before = sizeOf();
  await until('posts are written', async () => sizeOf() > before + 200 || child.exitCode !== null);
  await delay(Math.random() * 300);
  child.kill('SIGKILL');
  await ended;
}

for (const engine of engines) {
  test(`a site whose export is killed ${KILLS} times is continued and becomes the same [${engine}]`, async (t) => {
    const env = environmentFor(await makeStorePlace(t, engine));
    await runCommand(['board', 'create', '--name', 'Acme'], env);
    await runCommand(['seed', '--posts', String(POSTS)], env);
    const [folder, other] = [makeSiteFolder(t), makeSiteFolder(t)];
    for (let n = 0; n < KILLS; n++) {
      await killWhileWriting(folder, env);
      for (const [path, bytes] of readSite(folder)) assert.ok(bytes.length > 0, `${path} is whole`);
    }
    const { status, stdout, stderr } = await runCommand(['export', '--site', folder, '--json'], env);
    assert.equal(status, 0, stderr);
    const { posts, written } = JSON.parse(stdout);
    assert.ok(posts === POSTS && written < POSTS, `${written} of ${posts} were written after the kills`);
    assertLinksResolve(folder);
    const anew = await runCommand(['export', '--site', other], env);
    assert.match(anew.stdout, new RegExp(`Exported ${POSTS} posts to .*: ${POSTS} written, 0 removed\\.`), anew.stderr);
    const [first, second] = [readSite(folder), readSite(other)];
    assert.deepEqual([...first.keys()], [...second.keys()]);
    for (const [path, bytes] of first) assert.ok(second.get(path)?.equals(bytes), path);
  });
}
