import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environmentFor, runCommand, startServer } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';

for (const engine of engines) {
  test(`the first start prints a link for the owner, and owner invite makes another [${engine}]`, async (t) => {
    const env = environmentFor(await makeStorePlace(t, engine));
    const server = await startServer(t, env);
    const link = /http:\S+\/join\/[\w-]{43}/.exec(server.stdout())?.[0] ?? '';
    const page = await fetch(server.url + new URL(link).pathname);
    assert.match(await page.text(), /This account owns the board/);

    const invite = ['owner', 'invite', '--email', 'Olga@Example.com', '--json'];
    const { status, stdout } = await runCommand(invite, env);
    assert.equal(status, 0);
    const invited = await fetch(server.url + new URL(JSON.parse(stdout).link).pathname);
    assert.match(await invited.text(), /value="olga@example.com"/);

    const wrong = await runCommand(['owner', 'invite', '--email', 'nobody'], env);
    assert.deepEqual([wrong.status, wrong.stdout], [1, '']);
    assert.match(wrong.stderr, /email must be an address such as name@example.com/);
  });
}
