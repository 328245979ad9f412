import { tools } from '../../../src/api/mcp/tools.ts';
import type { Random } from '../../crash/random.ts';
import { type Attack, addressOf, type Door, eachOf, makeDoor } from '../attack.ts';
import type { Target } from '../target.ts';
import { hostileTexts, repeat } from '../texts.ts';
import { type HostileRequest, send } from '../wire.ts';

const CALLS_OF_TOOL = 6;
const LENGTHS = [1, 180, 19_000, 60_000];

/** The JSON Schema of an argument, as far as the tools use it. */
type Schema = {
  type?: string;
  enum?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
};

const bodies: Readonly<Record<string, string>> = {
  nothing: '',
  null: 'null',
  'half of it': '{"jsonrpc":"2.0","id":1,"method":"tools/li',
  'a batch': `[${Array(2_000).fill('{"jsonrpc":"2.0","id":1,"method":"tools/list"}').join(',')}]`,
  'lists that do not end': '['.repeat(1_000_000),
  'objects that do not end': '{"a":'.repeat(200_000),
  'an unknown method': message('a'.repeat(900_000), {}),
  'a notification': '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  'an answer': '{"jsonrpc":"2.0","id":1,"result":{}}',
  'a long id': `{"jsonrpc":"2.0","id":"${'x'.repeat(900_000)}","method":"tools/list"}`,
  'a stream': message('subscriptions/listen', { notifications: { toolsListChanged: true } }),
  'an unknown tool': message('tools/call', { name: '__proto__', arguments: {} }),
  'unknown arguments': message('tools/call', { name: 'get_board', arguments: named(400) }),
  'more arguments than there may be': message('tools/call', { name: 'get_board', arguments: named(3_000) }),
  'a long name of an argument': message('tools/call', { name: 'get_board', arguments: { [repeat('a', 900_000)]: 1 } }),
  'a prototype': '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"get_board"}}}',
  'an unknown revision': message('server/discover', {
    _meta: { 'io.modelcontextprotocol/protocolVersion': '9'.repeat(10_000) },
  }),
  'an earlier revision': message('initialize', { protocolVersion: '1', capabilities: {}, clientInfo: {} }),
};

const requests = makeDoor('agents', {
  ...eachOf(bodies, (body, name) => ({ [name]: (target) => agentRequest(target, body) })),
  'the header of a revision': (target) => [
    agentRequest(target, bodies['a stream'] ?? '', { 'mcp-protocol-version': '2026-07-28' }),
    agentRequest(target, bodies['a stream'] ?? '', { 'mcp-protocol-version': '9'.repeat(8_000) }),
  ],
});

/** The endpoint for agents: messages of the protocol, and every tool with hostile arguments. */
export const agentDoor: Door = {
  name: 'agents',
  attacks: [...requests.attacks, ...tools.map(({ name, input }) => attackOn(name, schemaOf(input)))],
};

function schemaOf(input: (typeof tools)[number]['input']): Schema {
  return input['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
}

function attackOn(name: string, { properties = {} }: Schema): Attack {
  return {
    name: `agents: ${name}`,
    async carryOut(target, random) {
      const answers = [];
      for (let n = 0; n < CALLS_OF_TOOL; n++) {
        const given = Object.entries(properties).filter(() => random.next() < 0.6);
        const args = Object.fromEntries(given.map(([key, schema]) => [key, makeValue(schema, target, random)]));
        const body = message('tools/call', { name, arguments: args });
        answers.push(await send(target.port, agentRequest(target, body, { 'x-forwarded-for': addressOf(random) })));
      }
      return answers;
    },
  };
}

function makeValue(schema: Schema, target: Target, random: Random): unknown {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random.next() * values.length)] as T;
  if (schema.anyOf) return makeValue(pick(schema.anyOf), target, random);
  if (schema.enum) return pick(schema.enum);
  if (schema.type === 'boolean') return random.next() < 0.5;
  if (schema.type === 'integer') return pick([1, 2, 0, -1, 20, 2 ** 31, 2 ** 53]);
  if (schema.type === 'array')
    return Array.from({ length: pick([0, 1, 10, 60]) }, () => makeValue(schema.items ?? {}, target, random));
  if (schema.type === 'object') return { [makeText(random)]: makeText(random) };
  return random.next() < 0.3 ? pick([target.postId, target.userId, target.commentId]) : makeText(random);
}

function makeText(random: Random): string {
  const makers = Object.values(hostileTexts);
  const make = makers[Math.floor(random.next() * makers.length)];
  return make?.(LENGTHS[Math.floor(random.next() * LENGTHS.length)] ?? 1) ?? '';
}

function agentRequest(
  { apiHeaders }: Pick<Target, 'apiHeaders'>,
  body: string,
  headers: Record<string, string> = {},
): HostileRequest {
  const accept = 'application/json, text/event-stream';
  return { path: '/api/v1/mcp', headers: { ...apiHeaders, accept, ...headers }, body };
}

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function named(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`argument${n}`, n]));
}
