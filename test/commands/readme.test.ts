import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse, validate } from 'graphql';
import '../../src/features.ts';
import { makeSchema } from '../../src/graphql/schema.ts';
import { environmentFor, startServer } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';

/** The code blocks of one language in a document. */
function blocksOf(file: string, language: string): string[] {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}

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

test('the GraphQL of docs/api.md is valid', () => {
  const documents = blocksOf('docs/api.md', 'graphql');
  assert.ok(documents.length >= 3);
  for (const document of documents) assert.deepEqual(validate(makeSchema(), parse(document)), []);
});
