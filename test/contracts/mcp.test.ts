import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';
import { MCP_PATH } from '../../src/api/mcp/route.ts';
import { tools } from '../../src/api/mcp/tools.ts';
import { VERSION } from '../../src/platform/version.ts';
import { testBoth, testOnce } from '../support/app.ts';
import { connectAgent, send } from '../support/mcp.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const MAX_TOOLS = 10;
const MAX_TOKENS = 2_500;

testOnce('the tools take few tokens of a model', async (app, t) => {
  const { tools } = await (await connectAgent(t, app)).client.listTools();
  const tokens = encode(JSON.stringify(tools)).length;
  t.diagnostic(`${tools.length} tools, ${tokens} tokens`);
  assert.ok(tools.length <= MAX_TOOLS && tokens <= MAX_TOKENS, `${tokens} tokens`);
  for (const { description = '' } of tools) assert.ok(description.length > 0 && description.length <= 300, description);
});

test('docs/mcp.md lists exactly the tools', () => {
  const rows = [
    ...(read('docs/mcp.md').split('## Tools')[1]?.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm),
  ].map(([, name]) => name);
  assert.deepEqual(
    rows,
    tools.map(({ name }) => name),
  );
});

const input = z.strictObject({
  description: z.string(),
  placeholder: z.string().optional(),
  isRequired: z.boolean(),
  isSecret: z.boolean().optional(),
});

/** What the registry's schema of 2025-12-11, and its server, ask of the parts that our file has. */
const registryFile = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    // Reserved for examples: a namespace of someone else would be theirs to publish.
    .startsWith('com.example/'),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.literal(VERSION),
  remotes: z.array(
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string().regex(/^https:\/\/[^\s]+$/),
      variables: z.record(z.string(), input),
      headers: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          value: z.string(),
          isRequired: z.literal(true),
          isSecret: z.literal(true),
          variables: z.record(z.string(), input),
        }),
      ),
    }),
  ),
});

const readRegistryFile = () => registryFile.parse(JSON.parse(read('server.json')));

test('server.json is what the registry takes, names its variables, and is explained', () => {
  const { name, remotes } = readRegistryFile();
  const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  for (const { url, variables, headers } of remotes) {
    assert.deepEqual(namesIn(url), Object.keys(variables));
    for (const header of headers) assert.deepEqual(namesIn(header.value), Object.keys(header.variables));
  }
  const docs = read('docs/mcp.md');
  assert.ok(docs.includes(`\`${name.split('/', 1)[0]}\``), 'the docs say which namespace to replace');
});

testBoth('what server.json describes, with its variables filled in, is where tools are', async (app) => {
  const { remotes } = readRegistryFile();
  assert.equal(remotes.length, 1);
  for (const { url, headers } of remotes) {
    assert.equal(new URL(url.replace('{host}', 'feedback.example.com')).pathname, MCP_PATH);
    const given = headers.map(({ name, value }) => [name.toLowerCase(), value.replace('{key}', app.key)]);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const { status, body } = await send(app, list, Object.fromEntries(given));
    assert.deepEqual([status, body.result.tools.length > 0], [200, true]);
  }
});
