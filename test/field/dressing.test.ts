import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { chunksOf } from '../hostile/doors/bodies.ts';
import { testBoth } from '../support/app.ts';
import { makeDoors, makeSender } from './doors.ts';

const TEXT = 'Größe – 深色 🌒';
const MARK = Buffer.from('\ufeff');

/** How a client sends JSON. */
type Dress = { type: string | null; more?: readonly string[]; write?: (json: string) => Buffer };

/** What is read, by who was seen to send it, or writes it so in documentation. */
const read: Readonly<Record<string, Dress>> = {
  'curl 7.88.1 --json; Python requests 2.34 and httpx 0.28; Guzzle 7.4; Go 1.19': { type: 'application/json' },
  '.NET StringContent; PHP 8.2 streams': { type: 'application/json; charset=utf-8' },
  'Apache HttpClient 4.5.14; Ruby 3.1 net/http': { type: 'application/json; charset=UTF-8' },
  'Java 17 HttpClient, a charset in quotes': { type: 'application/json;charset="UTF-8"' },
  'scripts, utf8': { type: 'application/json; charset=utf8' },
  'scripts, an empty parameter': { type: 'application/json;' },
  'scripts, a parameter without a value': { type: 'application/json; charset' },
  'scripts, any case, and spaces where they may be': { type: 'Application/JSON ;\tCharSet=Utf-8 ; q=1' },
  'a file of Windows Notepad or Visual Studio, with a byte order mark': {
    type: 'application/json',
    write: (json) => Buffer.concat([MARK, Buffer.from(json)]),
  },
  'Apache HttpClient 4.5.14, GzipCompressingEntity': {
    type: 'application/json; charset=UTF-8',
    more: ['Content-Encoding: gzip', 'Transfer-Encoding: chunked'],
    write: (json) => chunksOf(gzipSync(json)),
  },
  'json_encode of PHP 8.2, and Python requests 2.34: ASCII only': {
    type: 'application/json',
    write: (json) =>
      Buffer.from(json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)),
  },
};

testBoth('JSON is read in every media type and encoding in which clients send it, at every address', async (app) => {
  const doors = await makeDoors(app);
  const { post } = await makeSender(app);
  for (const [name, door] of Object.entries(doors)) {
    for (const [client, { type, more = [], write = Buffer.from }] of Object.entries(read)) {
      const text = name === 'REST' ? TEXT : `${TEXT} ${client}`.slice(0, 100);
      const { status, body } = await post(door, [`Content-Type: ${type}`, ...more], write(door.bodyOf(text)));
      assert.ok(status === 200 || status === 201, `${name}, ${client}: ${status} ${body}`);
      assert.equal(door.storedIn(body), text, `${name}, ${client}`);
    }
  }
});

const latin1 = (json: string) => Buffer.from(json, 'latin1');
const PLACE = /^The body must be UTF-8, but byte (\d+) of (\d+) is not: encode the text as UTF-8 and send it again$/;

/** A body with these bytes instead of its text. */
function withinText(json: string, hex: string): Buffer {
  const [before = '', after = ''] = json.split('Größe');
  return Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)]);
}

/** What is not UTF-8, by who was seen to send it. */
const notUtf8: Readonly<Record<string, Dress>> = {
  'Windows PowerShell 5.1 Invoke-RestMethod; Perl LWP 6.68': { type: 'application/json', write: latin1 },
  'Apache HttpClient 4.5.14, StringEntity without a type': { type: 'application/json', write: latin1 },
  'Java 17 HttpClient, BodyPublishers.ofString with ISO_8859_1': {
    type: 'application/json; charset=utf-8',
    write: latin1,
  },
  'C, a text that is cut off within a letter': {
    type: 'application/json',
    write: (json) => withinText(json, '4772c3'),
  },
  'a surrogate pair in three bytes each, as CESU-8 of Oracle has it': {
    type: 'application/json',
    write: (json) => withinText(json, 'eda0bcedbc92'),
  },
  'letters of Latin-1 within a compressed body': {
    type: 'application/json',
    more: ['Content-Encoding: gzip'],
    write: (json) => gzipSync(latin1(json)),
  },
};

testBoth('bytes that are not UTF-8 are refused with their place, and nothing is stored of them', async (app) => {
  const doors = await makeDoors(app);
  const { post } = await makeSender(app);
  for (const [name, door] of Object.entries(doors)) {
    const idempotent = name === 'MCP' ? [] : ['Idempotency-Key: one'];
    for (const [client, { type, more = [], write = latin1 }] of Object.entries(notUtf8)) {
      const bytes = write(door.bodyOf('Größe'));
      const sent = await post(door, [`Content-Type: ${type}`, ...more, ...idempotent], bytes);
      assert.equal(sent.status, 400, `${name}, ${client}: ${sent.body}`);
      const { code, message } = sent.json();
      assert.equal(code, 'BAD_REQUEST');
      const [, place = '', length = ''] = PLACE.exec(message) ?? assert.fail(`${name}, ${client}: ${message}`);
      if (more.length === 0) {
        assert.equal(Number(length), bytes.length);
        const decoder = new TextDecoder('utf-8', { fatal: true });
        assert.doesNotThrow(() => decoder.decode(bytes.subarray(0, Number(place) - 1)), client);
        const after = bytes.subarray(Number(place) - 1, Number(place) + 3);
        assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(after), client);
      }
    }
    assert.equal(await door.count(), name === 'MCP' ? 1 : 0, name);
    const right = await post(
      door,
      ['Content-Type: application/json', ...idempotent],
      Buffer.from(door.bodyOf('Größe')),
    );
    assert.equal(door.storedIn(right.body), 'Größe', `${name}: the key was not used by what was refused`);
  }
  assert.deepEqual(app.logged, []);
});

const otherCharsets = {
  'application/json; charset=ISO-8859-1': 'ISO-8859-1',
  'application/json; charset="windows-1252"': 'windows-1252',
  'application/json;charset=utf-16le': 'utf-16le',
} as const;

testBoth('another charset or media type is refused with 415, and named', async (app) => {
  const doors = await makeDoors(app);
  const { post } = await makeSender(app);
  for (const [name, door] of Object.entries(doors)) {
    const json = Buffer.from(door.bodyOf('Size'));
    for (const [type, charset] of Object.entries(otherCharsets)) {
      const sent = await post(door, [`Content-Type: ${type}`], json);
      const { code, field, message } = sent.json();
      assert.deepEqual([sent.status, code, field], [415, 'BAD_REQUEST', 'content-type'], `${name}, ${type}`);
      assert.equal(message, `The charset in Content-Type must be utf-8, not ${charset}: encode the body as UTF-8`);
    }
    for (const type of ['text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'application/jsonx', 'x']) {
      const sent = await post(door, [`Content-Type: ${type}`], json);
      const { code, field } = sent.json();
      assert.deepEqual([sent.status, code, field], [415, 'BAD_REQUEST', 'content-type'], `${name}, ${type}`);
    }
    assert.equal((await post(door, [], json)).status, 415, `${name}, no type`);
    assert.equal(await door.count(), 0, name);
  }
});

testBoth('half of a surrogate pair, as sent by programs that cut a text within an emoji, is refused', async (app) => {
  const doors = await makeDoors(app);
  const { post } = await makeSender(app);
  for (const [name, door] of Object.entries(doors)) {
    for (const half of ['\ud83c', '\udf12']) {
      const { status, body } = await post(
        door,
        ['Content-Type: application/json'],
        Buffer.from(door.bodyOf(`Moon ${half}`)),
      );
      assert.match(body, /half of a surrogate pair|control characters/, name);
      assert.equal(status, name === 'REST' ? 400 : 200, name);
    }
    assert.equal(await door.count(), 0, name);
  }
  const { REST } = doors;
  assert.ok(REST);
  const url = Buffer.from('{"url":"https://hooks.example.com/\\ud83c","enable":false}');
  assert.equal((await post(REST, ['Content-Type: application/json'], url)).status, 400);
  assert.equal(await REST.count(), 0);
});

testBoth(
  'the empty list of PHP stands for no variables, extensions and arguments; a list with items for none',
  async (app) => {
    const { GraphQL, MCP, REST } = await makeDoors(app);
    assert.ok(GraphQL && MCP && REST);
    const { post, exchange } = await makeSender(app);
    const ask = (door: typeof MCP, json: string, path = door.path) =>
      post({ ...door, path }, ['Content-Type: application/json'], Buffer.from(json));
    const query = '"query":"{ board { name } }"';
    for (const more of ['"variables":[]', '"extensions":[]', '"variables":[],"extensions":[]', '"variables":[ ]']) {
      for (const accept of [[], ['Accept: application/json;q=0.9, */*']]) {
        const body = Buffer.from(`{${query},${more}}`);
        const sent = await post(GraphQL, ['Content-Type: application/json', ...accept], body);
        assert.equal(sent.body, '{"data":{"board":{"name":"Acme"}}}', more);
      }
    }
    const get = (more: string) => exchange(`GET ${GraphQL.path}?query=%7Bboard%7Bname%7D%7D&${more}`, GraphQL.headers);
    assert.equal((await get('variables=%5B%5D&extensions=[]')).body, '{"data":{"board":{"name":"Acme"}}}');
    for (const more of ['"variables":[1]', '"variables":[[]]', '"extensions":[{}]']) {
      assert.equal((await ask(GraphQL, `{${query},${more}}`)).status, 400, more);
    }
    assert.equal((await get('variables=[1]')).status, 400);

    const list = await ask(MCP, '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}');
    assert.match(list.body, /create_post/);
    const call = await ask(
      MCP,
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_board","arguments":[]}}',
    );
    assert.match(call.body, /"Acme"/);
    const client = '"protocolVersion":"2025-11-25","capabilities":[],"clientInfo":{"name":"php","version":"8"}';
    const begin = await ask(MCP, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{${client}}}`);
    assert.match(begin.body, /"serverInfo"/);
    const wrong = await ask(
      MCP,
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_board","arguments":[1]}}',
    );
    assert.doesNotMatch(wrong.body, /"Acme"/);

    const made = JSON.parse((await ask(REST, REST.bodyOf('secret'))).body);
    const disable = (json: string) => ask(REST, json, `${REST.path}/${made.id}/disable`);
    assert.equal((await disable('[]')).status, 200);
    assert.equal((await disable('[1]')).status, 400);
  },
);

testBoth('percent-encoded bytes in the address of a query are UTF-8, or the query is refused', async (app) => {
  const { GraphQL } = await makeDoors(app);
  assert.ok(GraphQL);
  const { exchange } = await makeSender(app);
  const title = encodeURIComponent('Größe');
  const query = 'query($title:String!){similarPosts(title:$title){score}}';
  const get = (encoded: string) =>
    exchange(
      `GET ${GraphQL.path}?query=${encodeURIComponent(query)}&variables={%22title%22:%22${encoded}%22}`,
      GraphQL.headers,
    );
  assert.deepEqual(JSON.parse((await get(title)).body), { data: { similarPosts: [] } });
  for (const encoded of ['Gr%F6%DFe', 'Gr%C3', '%ED%A0%80', '%c0%80']) {
    const sent = await get(encoded);
    assert.deepEqual([sent.status, sent.json().code], [400, 'BAD_REQUEST'], encoded);
    assert.equal(sent.json().message, 'The parameters in the address must be UTF-8, percent-encoded', encoded);
  }
  assert.equal((await get('50%')).status, 200);
});

testBoth('an agent that accepts anything is answered', async (app) => {
  const { MCP } = await makeDoors(app);
  const { post } = await makeSender(app);
  assert.ok(MCP);
  const headers = MCP.headers.filter((header) => !header.startsWith('Accept:'));
  const send = (...accept: string[]) =>
    post({ ...MCP, headers }, ['Content-Type: application/json', ...accept], Buffer.from(MCP.bodyOf('Size')));
  for (const accept of [[], ['Accept: */*'], ['Accept: application/json, */*;q=0.1']]) {
    const { status, body } = await send(...accept);
    assert.deepEqual([status, MCP.storedIn(body)], [200, 'Size'], `${accept}`);
  }
  for (const accept of ['text/html', `${'a/b,'.repeat(1_000)}*/*`]) {
    assert.equal((await send(`Accept: ${accept}`)).status, 406, accept);
  }
});
