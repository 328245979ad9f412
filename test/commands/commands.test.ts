import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { migrations } from '../../src/platform/db/all-migrations.ts';
import type { Engine } from '../../src/platform/db/db.ts';
import { runHere } from '../support/command-line.ts';
import { environmentFor, runCommand, startServer } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';

type Run = (...args: string[]) => Promise<{ status: number | null; stdout: string; stderr: string }>;

/** A test of the command line on each engine; `run` runs one command on the test's store. */
function testCommands(name: string, work: (run: Run, env: Record<string, string>) => Promise<void>): void {
  for (const engine of engines) {
    test(`${name} [${engine}]`, async (t) => {
      const env = environmentFor(await makeStorePlace(t, engine));
      await work((...args) => runCommand(args, env), env);
    });
  }
}

const json = async (run: Run, ...args: string[]) => {
  const { status, stdout, stderr } = await run(...args, '--json');
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};

async function askServer(url: string, key: string, query: string) {
  const response = await fetch(`${url}/api/v1/graphql`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json', ssotype: 'SSO', ssoid: '1' },
    body: JSON.stringify({ query }),
  });
  return {
    status: response.status,
    ...((await response.json()) as { data: Record<string, unknown>; errors?: { message: string }[] }),
  };
}

for (const engine of engines) {
  test(`the first start makes a board and a key, and its curl line works as pasted [${engine}]`, async (t) => {
    const env = environmentFor(await makeStorePlace(t, engine));
    const first = await startServer(t, env);
    const [, key = ''] = /^ {2}(esk_[\w-]{43})$/m.exec(first.stdout()) ?? [];
    const [, curl = ''] = /^ {2}(curl .*)$/m.exec(first.stdout()) ?? [];
    const port = new URL(first.url).port;
    assert.match(first.stdout(), new RegExp(`http://localhost:${port}/b/feedback`));
    const { stdout } = await promisify(execFile)('sh', ['-c', curl]);
    const { createUser } = JSON.parse(stdout).data;
    assert.equal(createUser.name, 'Ada');
    const { data } = await askServer(
      first.url,
      key,
      'mutation { createPost(title: "Hello") { number author { name } } }',
    );
    assert.deepEqual(data.createPost, { number: 1, author: { name: 'Ada' } });
    assert.equal((await first.end('SIGTERM')).status, 0);

    const second = await startServer(t, env);
    assert.ok(!second.stdout().includes('esk_'));
    assert.deepEqual((await askServer(second.url, key, '{ posts { nodes { title } } }')).data.posts, {
      nodes: [{ title: 'Hello' }],
    });
    assert.ok(!`${first.stderr()}${second.stderr()}`.includes(key), 'a log holds the key');
  });

  test(`the command line works next to a running server, which soon notices changes [${engine}]`, async (t) => {
    const env = environmentFor(await makeStorePlace(t, engine));
    const run: Run = (...args) => runCommand(args, env);
    const server = await startServer(t, env);
    const { id, key } = await json(run, 'key', 'create', '--name', 'made beside', '--rate', 'none');
    assert.equal((await askServer(server.url, key, '{ board { name } }')).status, 200);
    await json(run, 'key', 'revoke', id);
    await until('the key is refused', async () => {
      const { status } = await askServer(server.url, key, '{ board { name } }');
      return status === 401;
    });
  });
}

testCommands('boards are made, listed, shown and changed', async (run) => {
  assert.match((await run('board', 'show')).stderr, /There is no board yet/);
  assert.deepEqual(await json(run, 'board', 'list'), { items: [] });
  const acme = await json(run, 'board', 'create', '--name', 'Acme & Söhne', '--description', 'Ideas', '--plan', 'pro');
  assert.deepEqual([acme.pid, acme.name, acme.description, acme.plan], ['acme-sohne', 'Acme & Söhne', 'Ideas', 'PRO']);
  assert.equal((await json(run, 'board', 'create', '--name', 'Acme Söhne')).pid, 'acme-sohne-2');
  assert.equal((await json(run, 'board', 'list')).items.length, 2);
  const changed = await json(run, 'board', 'update', '--board', 'acme-sohne-2', '--plan', 'free');
  assert.deepEqual([changed.plan, changed.name], ['FREE', 'Acme Söhne']);
  assert.equal((await json(run, 'board', 'show')).plan, 'PRO');
  const missing = await run('board', 'show', '--board', 'nope');
  assert.deepEqual([missing.status, missing.stdout, missing.stderr], [1, '', 'There is no board nope\n']);
});

testCommands('keys are made with their rules, listed without their secret, and revoked', async (run) => {
  await json(run, 'board', 'create', '--name', 'Acme');
  const made = await json(
    run,
    ...['key', 'create', '--name', 'CI', '--permissions', 'webhooks,read', '--allow-ip', '10.0.0.0/8', '::1'],
    ...['--rate', '2/s,100/h', '--expires', '90d'],
  );
  assert.match(made.key, /^esk_[\w-]{43}$/);
  assert.deepEqual(made.permissions, ['read', 'webhooks']);
  const usual = await json(run, 'key', 'create', '--name', 'Usual');
  assert.deepEqual(usual.permissions, ['read', 'write']);
  assert.deepEqual(made.allowedIps, ['10.0.0.0/8', '::1']);
  assert.deepEqual(made.rateLimits, [
    { seconds: 1, limit: 2 },
    { seconds: 3600, limit: 100 },
  ]);
  assert.ok(Date.parse(made.dateExpires) > Date.now());
  const list = await run('key', 'list', '--json');
  assert.ok(!list.stdout.includes(made.key));
  assert.equal(JSON.parse(list.stdout).items[0].prefix, made.key.slice(4, 12));
  assert.notEqual((await json(run, 'key', 'revoke', made.id)).dateRevoked, null);
  assert.match((await run('key', 'list')).stdout, /revoked/);
  assert.match((await run('key', 'revoke', 'nope')).stderr, /API key not found/);
});

test('wrong usage ends with status 2 and shows the usage', async () => {
  const wrong = [
    [],
    ['nope'],
    ['key', 'create'],
    ['key', 'create', '--name', 'x', '--rate', '5'],
    ['key', 'create', '--name', 'x', '--permissions', 'all'],
    ['key', 'create', '--name', 'x', '--expires', 'yesterday'],
    ['key', 'create', '--name', 'x', '--expires', '2999-02-30'],
    ['key', 'create', '--name', 'x', '--expires', '2999-01-01 noon'],
    ['key', 'create', '--name', 'x', '--as', 'bob'],
    ['key', 'create', '--name', 'x', '--as', 'SSO:1', '--only-as', 'SSO:1'],
    ['board', 'update', '--plan', 'gold'],
    ['user', 'role', '--ssotype', 'SSO', '--user-id', '1', '--role', 'king'],
    ['seed', '--posts', '0'],
    ['copy'],
    ['serve', '--port', '1'],
  ];
  for (const args of wrong) {
    const { status, stdout, stderr } = await runHere(args, {});
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /--help|Usage/);
  }
});

testCommands('a role is given to a registered person only', async (run) => {
  await json(run, 'seed', '--posts', '1').catch(() => {});
  await json(run, 'board', 'create', '--name', 'Acme');
  await json(run, 'seed', '--posts', '1');
  const changed = await json(run, 'user', 'role', '--ssotype', 'SAMPLE', '--user-id', '3', '--role', 'admin');
  assert.equal(changed.role, 'ADMIN');
  const { status, stderr } = await run('user', 'role', '--ssotype', 'SSO', '--user-id', '9', '--role', 'admin');
  assert.equal(status, 1);
  assert.match(stderr, /^User not found: SSO:9 is not registered/);
  const withUser = await json(run, 'key', 'create', '--name', 'bot', '--as', 'SAMPLE:3');
  assert.deepEqual([withUser.defaultUserId, withUser.isBound], [changed.id, false]);
  const bound = await json(run, 'key', 'create', '--name', 'agent', '--only-as', 'SAMPLE:3');
  assert.deepEqual([bound.defaultUserId, bound.isBound], [changed.id, true]);
  const { stdout } = await run('key', 'list');
  assert.match(stdout, /bot .*active +(\S.*\S) {2,}[\s\S]*agent .*active +only \1/);
});

testCommands('seeding again adds nothing twice, and more when asked', async (run) => {
  await json(run, 'board', 'create', '--name', 'Acme');
  assert.equal((await json(run, 'seed', '--posts', '20')).added, 20);
  const before = await json(run, 'board', 'show');
  assert.equal(before.postCount, 20);
  assert.equal((await json(run, 'seed', '--posts', '25')).added, 5);
  assert.equal((await json(run, 'board', 'show')).postCount, 25);
});

test('version needs no settings and no store', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const schema = migrations.at(-1)?.name;
  const node = process.versions.node;
  const run = (...args: string[]) => runHere(args, { DATABASE_URL: 'nowhere', DATA_DIR: '/nowhere' });
  assert.deepEqual(await run('--version'), { status: 0, stdout: `${version}\n`, stderr: '' });
  const described = `Earshot ${version}, Node.js ${node}, schema ${schema}\n`;
  assert.deepEqual(await run('version'), { status: 0, stdout: described, stderr: '' });
  assert.deepEqual(JSON.parse((await run('version', '--json')).stdout), { version, node, schema });
  assert.match((await run('--help')).stdout, /--version +print the version\n/);
});

test('every command has a help text', async () => {
  const commands = ['', 'serve', 'migrate', 'board', 'board create', 'board list', 'board show', 'board update'];
  commands.push('user role', 'key create', 'key list', 'key revoke', 'seed', 'backup', 'copy', 'check');
  for (const command of commands) {
    const { status, stdout } = await runHere([...command.split(' ').filter(Boolean), '--help'], {});
    assert.equal(status, 0);
    assert.match(stdout, /^Usage: earshot/);
  }
});

test('backup copies the embedded store without sandboxes while the server runs, and never over a file', async (t) => {
  const place = await makeStorePlace(t, 'sqlite' satisfies Engine);
  const env = environmentFor(place);
  const { url } = await startServer(t, env);
  assert.equal((await fetch(`${url}/api/v1/sandbox/board`, { method: 'POST' })).status, 201);
  const file = join(place.dataDir, 'copy.db');
  const { status, stdout } = await runCommand(['backup', file, '--json'], env);
  assert.equal(status, 0);
  assert.ok(JSON.parse(stdout).bytes > 0 && existsSync(file));
  assert.ok(!existsSync(`${file}-wal`));
  const copy = new DatabaseSync(file, { readOnly: true });
  assert.deepEqual(
    copy
      .prepare('select name from boards')
      .all()
      .map((board) => board.name),
    ['Feedback'],
  );
  copy.close();
  assert.match((await runCommand(['backup', file], env)).stderr, /already exists/);
  const nowhere = join(dirname(file), 'nowhere', 'copy.db');
  assert.match((await runCommand(['backup', nowhere], env)).stderr, /The folder .*nowhere does not exist/);
});
