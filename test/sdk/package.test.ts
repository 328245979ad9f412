import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { signatureHeaders } from '../../src/webhooks/signing/signature.ts';
import { makeTestApp } from '../support/app.ts';
import { launchBrowser } from '../support/browser.ts';
import { onEnd } from '../support/cleanup.ts';
import { findFreePort } from '../support/postgres.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { installClient, MODULES, readBlocks, run, SDK } from './installing.ts';

const MAX_BYTES = 10_000;

const { project, packed } = installClient();

/** A program that reads and writes through the client, in whatever runs it. */
const TRIAL = `
import { createClient, signSsoToken, verifyWebhook } from 'earshot-client';

export async function tryOut(url, apiKey) {
  const earshot = createClient({ url, apiKey, as: 'größer' });
  await earshot.createUser({ ssoType: 'SSO', ssoId: 'größer', name: 'Grace' }, { id: true });
  const { author } = await earshot.createPost({ title: 'Dark mode 🌒' }, { author: { name: true } });
  const titles = [];
  for await (const { title } of earshot.each.posts({ limit: 1 }, { title: true })) titles.push(title);
  const events = earshot.follow();
  for await (const { event } of events) {
    titles.push(event);
    break;
  }
  const error = await earshot.createPost({ title: '' }, { id: true }).catch((error) => error);
  const refused = await verifyWebhook({ headers: {}, body: '', secret: 'x' }).catch((error) => error);
  const token = await signSsoToken({ id: 1 }, 'secret');
  return [author.name, ...titles, error.code, typeof error.requestId, refused.name, token.split('.').length].join();
}
`;
const TRIED = /^Grace,Dark mode 🌒,post\.created,BAD_REQUEST,string,WebhookError,3$/;

/** An app that listens, with the address and a key. */
async function serve(t: Parameters<typeof makeTestApp>[0]) {
  const app = await makeTestApp(t, 'sqlite');
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  return { app, url, env: { EARSHOT_URL: url, EARSHOT_KEY: app.key, SSO_SECRET: 'secret' } };
}

test('the package has the version of the server, and only what is needed', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const { version, dependencies } = read(join(SDK, 'package.json'));
  assert.equal(version, read(join(SDK, '../package.json')).version);
  assert.equal(dependencies, undefined);
  const other = packed.filter((file) => !/^dist\/[\w-]+(\.d\.ts|\.js)$/.test(file));
  assert.deepEqual(other.sort(), ['LICENSE', 'README.md', 'package.json']);
});

test('TypeScript knows arguments and results from the package alone, also in the examples of the README', async () => {
  const blocks = readBlocks(join(SDK, 'README.md'));
  assert.equal(blocks.length, 8);
  for (const [n, code] of blocks.entries()) writeFileSync(join(project, `block-${n}.ts`), code);
  copyFileSync(fileURLToPath(new URL('types.ts', import.meta.url)), join(project, 'types.ts'));
  const compilerOptions = {
    ...{
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.asynciterable'],
      module: 'nodenext',
      strict: true,
      noEmit: true,
    },
    typeRoots: [join(MODULES, '@types')],
    types: ['node'],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await run(project, [process.execPath, join(MODULES, 'typescript/bin/tsc'), '-p', '.']);
});

test('the examples of the README run', async (t) => {
  const { app, env } = await serve(t);
  await app.makePost('Before');
  for (const [n, code] of readBlocks(join(SDK, 'README.md')).entries()) {
    const file = `block-${n}.mjs`;
    writeFileSync(join(project, file), code);
    if (code.includes('createServer')) continue;
    assert.ok((await run(project, [process.execPath, file], env)).length > 0, code);
  }
  const { posts } = await app.ask('{ posts(sort: OLDEST) { nodes { title files { name } } } }');
  const titles = posts.nodes.map(({ title }: { title: string }) => title);
  assert.deepEqual(titles, ['Before', 'Dark mode', 'It breaks']);
});

test('the receiver of the README confirms, believes what is signed with either secret, and nothing else', async (t) => {
  const code = readBlocks(join(SDK, 'README.md')).find((block) => block.includes('createServer')) ?? '';
  writeFileSync(join(project, 'receiver.mjs'), code);
  const PORT = String(await findFreePort());
  const env = { ...process.env, PORT, SIGNING_SECRET: 'new', OLD_SECRET: 'old', VERIFY_TOKEN: 'token' };
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onEnd(t, () => child.kill());
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  const url = `http://127.0.0.1:${PORT}/hook`;
  const confirm = (token: string) => `${url}?hub.mode=subscribe&hub.challenge=Zk3&hub.verify_token=${token}`;
  await until('it listens', () => fetch(url).then(Boolean, () => false));
  assert.equal(await (await fetch(confirm('token'))).text(), 'Zk3');
  assert.equal((await fetch(confirm('other'))).status, 403);
  const deliver = async (title: string, secret: string) => {
    const body = Buffer.from(JSON.stringify({ event: 'post.created', data: { post: { title } } }));
    const stamp = { id: title, timestampSeconds: Math.floor(Date.now() / 1_000) };
    return (await fetch(url, { method: 'POST', body, headers: signatureHeaders(body, secret, stamp) })).status;
  };
  assert.deepEqual(
    [await deliver('A', 'new'), await deliver('B', 'old'), await deliver('C', 'wrong')],
    [200, 200, 403],
  );
  await until('both are printed', () => printed === 'A\nB\n');
});

test(`a bundle for browsers has at most ${MAX_BYTES} bytes, and works on a page of another origin`, async (t) => {
  writeFileSync(join(project, 'trial.js'), TRIAL);
  writeFileSync(join(project, 'all.js'), "export * from 'earshot-client';");
  for (const name of ['trial', 'all']) {
    const lib = { entry: join(project, `${name}.js`), formats: ['es' as const], fileName: name };
    const options = { lib, outDir: join(project, 'built', name), minify: 'oxc' as const };
    await build({ root: project, configFile: false, logLevel: 'warn', build: options });
  }
  const [bundle = ''] = globSync('built/all/*.js', { cwd: project });
  const sizes = {
    minified: brotliCompressSync(readFileSync(join(project, bundle))).length,
    published: packed
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(SDK, file))).length, 0),
  };
  t.diagnostic(JSON.stringify(sizes));
  assert.ok(sizes.minified <= MAX_BYTES && sizes.published <= MAX_BYTES, JSON.stringify(sizes));

  const { app, url } = await serve(t);
  const [script = ''] = globSync('built/trial/*.js', { cwd: project });
  const { origin } = await startReceiver(t, (request, response) => {
    const isScript = request.url === '/trial.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? readFileSync(join(project, script)) : '<!doctype html>');
  });
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(origin);
  const call = `import('/trial.js').then(({ tryOut }) => tryOut(${JSON.stringify(url)}, ${JSON.stringify(app.key)}))`;
  assert.match(await page.evaluate<string>(call), TRIED);
});

/** Programs that run JavaScript; those that npm has to fetch first are tried by `npm run test:long`. */
const runtimes: Record<string, string[]> = {
  Node: [process.execPath],
  ...(process.env.TEST_LONG === '1' && {
    'Node 20': ['npx', '-y', '-p', 'node@20', 'node'],
    Bun: ['npx', '-y', 'bun@1.4.5'],
    Deno: ['npx', '-y', 'deno@2.9.6', 'run', '-A'],
  }),
};

for (const [name, command] of Object.entries(runtimes)) {
  test(`the package works in ${name}`, async (t) => {
    const { env } = await serve(t);
    const start = 'console.log(await tryOut(process.env.EARSHOT_URL, process.env.EARSHOT_KEY));';
    writeFileSync(join(project, 'trial.mjs'), `import process from 'node:process';\n${TRIAL}\n${start}`);
    assert.match((await run(project, [...command, 'trial.mjs'], env)).trim(), TRIED);
  });
}
