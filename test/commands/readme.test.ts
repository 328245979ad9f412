import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onEnd } from '../support/cleanup.ts';
import { blocksOf } from '../support/documents.ts';
import { findFreePort } from '../support/postgres.ts';
import { environmentFor, startServer } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

for (const engine of engines) {
  test(`the requests of the README work as pasted, one after the other [${engine}]`, async (t) => {
    const server = await startServer(t, environmentFor(await makeStorePlace(t, engine)));
    const [key = ''] = /esk_[\w-]{43}/.exec(server.stdout()) ?? [];
    const requests = blocksOf('README.md', 'sh').filter((block) => block.startsWith('curl'));
    assert.equal(requests.length, 4);
    const answers = [];
    for (const request of requests) {
      const script = `KEY=${key}\n${request.replaceAll('http://localhost:4000', server.url)}`;
      const { stdout } = await promisify(execFile)('sh', ['-c', script]);
      answers.push(JSON.parse(stdout));
    }
    assert.ok(
      answers.every((answer) => answer.data && !answer.errors),
      JSON.stringify(answers),
    );
    const [user, post, list, log] = answers.map((answer) => answer.data);
    assert.equal(user.createUser.name, 'Ada');
    assert.equal(post.createPost.title, 'Dark mode');
    assert.deepEqual(list.posts.nodes[0].author, { name: 'Ada' });
    assert.equal(log.events.nodes[0].data.post.id, post.createPost.id);
  });
}

for (const engine of engines) {
  test(`the first webhook of the README prints a verified event [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const [start = '', receive = '', create = ''] = blocksOf('README.md', 'sh').filter((b) =>
      /8787|CIDRS|rec.*mjs/.test(b),
    );
    const [, ranges = ''] = /^WEBHOOK_ALLOW_CIDRS=(\S+) npm start$/m.exec(start) ?? [];
    const env = { ...environmentFor(place), WEBHOOK_ALLOW_CIDRS: ranges };
    const server = await startServer(t, env);
    const port = String(await findFreePort());
    const receiver = spawn('sh', ['-c', `exec env ${receive}`], { cwd: root, env: { ...process.env, PORT: port } });
    onEnd(t, () => receiver.kill());
    const printed = createInterface(receiver.stdout)[Symbol.asyncIterator]();
    assert.match(String((await printed.next()).value), /^listening on /);
    const command = create.replace('8787', port).replace('npm run -s earshot --', `"${process.execPath}" dist/main.js`);
    await promisify(execFile)('sh', ['-c', command], { cwd: root, env });
    assert.equal((await printed.next()).value, 'confirmed');

    const [key = ''] = /esk_[\w-]{43}/.exec(server.stdout()) ?? [];
    for (const request of blocksOf('README.md', 'sh').filter((block) => /createUser|createPost/.test(block))) {
      await promisify(execFile)('sh', ['-c', `KEY=${key}\n${request.replaceAll('http://localhost:4000', server.url)}`]);
    }
    assert.match(String((await printed.next()).value), /^verified post\.created \{"post":\{.*"title":"Dark mode"/);
  });
}
