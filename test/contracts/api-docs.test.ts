import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type GraphQLArgument, isInputObjectType, isObjectType, Kind, parse, print } from 'graphql';
import { type TestApp, testBoth } from '../support/app.ts';
import { blocksOf, readDocument } from '../support/documents.ts';
import { environmentFor, runCommand, startServer } from '../support/process.ts';
import { schema } from '../support/schema.ts';
import { engines, makeStorePlace } from '../support/store.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = 'docs/api.md';

/** What the variables of the examples may be, by their names. */
async function makeValues({ ask, board, makePost, makeUser }: TestApp): Promise<Record<string, unknown>> {
  await makeUser('customer-1');
  const addFields = `mutation($board: String!) {
    a: createField(boardId: $board, label: "Plan", type: SELECTION, options: [{ name: "Pro" }]) { node { id } }
    b: createField(boardId: $board, label: "Seats", type: NUMBER) { node { id } }
  }`;
  await ask(addFields, { board: board.id });
  const post = await makePost('Dark mode');
  const create = 'mutation($id: String!) { createComment(postId: $id, text: "Call 555 0100") { id } }';
  const comment = (await ask(create, { id: post })).createComment.id;
  return {
    title: 'A dark mode',
    text: 'My eyes',
    id: 'ticket-1',
    author: { ssotype: 'SSO', userId: 'customer-1' },
    date: '2026-01-02T03:04:05.000Z',
    customer: 'customer-1',
    after: null,
    post,
    comment,
    postIds: [post],
  };
}

testBoth('every operation of docs/api.md is carried out as it is there', async (app) => {
  const values = await makeValues(app);
  const operations = blocksOf(document, 'graphql').flatMap((block) => parse(block).definitions);
  assert.ok(operations.length >= 7);
  for (const operation of operations) {
    assert.ok(operation.kind === Kind.OPERATION_DEFINITION);
    const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
    for (const name of names) assert.ok(name in values, `$${name}`);
    await app.ask(print(operation), Object.fromEntries(names.map((name) => [name, values[name]])));
  }
});

for (const engine of engines) {
  test(`every command of docs/api.md works as pasted [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const env = environmentFor(place);
    const server = await startServer(t, env);
    const made = await runCommand(['key', 'create', '--name', 'docs', '--rate', 'none', '--json'], env);
    const { key } = JSON.parse(made.stdout) as { key: string };
    const ask = async (query: string) => {
      const headers = { 'content-type': 'application/json', apikey: key };
      const response = await fetch(`${server.url}/api/v1/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      assert.deepEqual(((await response.json()) as { errors?: unknown }).errors, undefined);
    };
    for (const user of ['importer", isApiUser: true', 'bot"', '42"', '1"']) {
      await ask(`mutation { createUser(ssotype: "SSO", userId: "${user}) { id } }`);
    }
    await runCommand(['user', 'role', '--ssotype', 'SSO', '--user-id', '42', '--role', 'moderator'], env);
    const file = join(place.dataDir, 'posts.jsonl');
    writeFileSync(file, '{"id":"1","title":"Dark mode","text":"My eyes"}\n');
    const picture = join(place.dataDir, 'screenshot.png');
    writeFileSync(
      picture,
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAG7buVgAAAABJRU5ErkJggg',
        'base64',
      ),
    );
    const blocks = blocksOf(document, 'sh');
    assert.ok(blocks.length >= 3);
    const inText = [
      ...readDocument(document)
        .replace(/^```.*?^```/gms, '')
        .matchAll(/`(npm run [^`]+)`/g),
    ];
    const commands = [...blocks, ...inText.map(([, command = '']) => command)];
    let uploaded = '';
    for (const command of commands) {
      const script = command
        .replaceAll('npm run -s earshot --', `"${process.execPath}" dist/main.js`)
        .replaceAll('node examples', `"${process.execPath}" examples`)
        .replaceAll('http://localhost:4000', server.url)
        .replaceAll('esk_...', key)
        .replaceAll('screenshot.png', `"${picture}"`)
        .replaceAll('posts.jsonl', `"${file}"`)
        .replaceAll('board.csv', `"${join(place.dataDir, 'board.csv')}"`);
      // A stream goes on until its reader has enough.
      const bounded = script.replace(/^curl -N ((?:.*\\\n)*.*)$/m, 'curl --max-time 2 -N $1 || test $? = 28');
      const shell = ['-e', '-c', `KEY=${key}\nFILE=${uploaded}\n${bounded}`];
      const { stdout } = await promisify(execFile)('sh', shell, {
        cwd: root,
        env: { ...process.env, ...env, EARSHOT_URL: server.url },
      });
      assert.ok(!stdout.includes('"errors"'), stdout);
      if (bounded !== script) assert.match(stdout, /^id: .*\n(event: next\n)?data: \{"(id|data)":/m);
      uploaded = /"id":"([^"]+)","name"/.exec(stdout)?.[1] ?? uploaded;
    }
  });
}

/** The fields and inputs of the schema with this name, each as the names that it takes. */
function takersNamed(name: string): string[][] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    const namesOf = (args: readonly Pick<GraphQLArgument, 'name'>[]) => args.map((arg) => arg.name);
    if (isInputObjectType(type)) return name === 'where' ? [namesOf(Object.values(type.getFields()))] : [];
    const field = isObjectType(type) ? type.getFields()[name] : undefined;
    return field ? [namesOf(field.args)] : [];
  });
}

test('what docs/api.md calls an operation or an argument is one', () => {
  const text = readDocument(document).replace(/^```.*?^```/gms, '');
  const mentions = [...text.matchAll(/`(?:\w+\.)?(\w+)\(([^`)]*)/g)];
  assert.ok(mentions.length > 10);
  for (const [mention, name = '', args = ''] of mentions) {
    const takers = takersNamed(name);
    assert.ok(takers.length > 0, mention);
    const named = [...args.replace(/\{.*|\[.*/, '').matchAll(/(\w+):/g)].map(([, arg = '']) => arg);
    const fits = takers.some((taken) => named.every((arg) => taken.includes(arg)));
    assert.ok(fits, mention);
  }
});

test('docs/api.md has the recipes that people ask for', () => {
  const recipes = readDocument(document).split('\n## Recipes\n')[1] ?? '';
  for (const recipe of ['Import from another board', 'Vote on behalf', 'A moderation bot', 'Keep a copy']) {
    assert.ok(recipes.includes(`**${recipe}`), recipe);
  }
});
