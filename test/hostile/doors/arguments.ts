import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Random } from '../../crash/random.ts';
import { type Attack, addressOf, type Door } from '../attack.ts';
import { apiRequest } from '../target.ts';
import { hostileTexts } from '../texts.ts';
import { send } from '../wire.ts';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const LENGTHS = [1, 40, 180, 19_000, 60_000];
/** Longer ones than this only wear out who sends them. */
const MAX_LIST_CHARACTERS = 1_500_000;
const REQUESTS_OF_FIELD = 6;

/** Every root field there is, with hostile values for its arguments, whichever they are. */
export const argumentDoor: Door = {
  name: 'arguments',
  attacks: [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    type
      ? Object.values(type.getFields()).flatMap((field) =>
          field.args.length > 0 ? attackOn(type, field.name, field.args) : [],
        )
      : [],
  ),
};

function attackOn(type: GraphQLObjectType, field: string, args: readonly GraphQLArgument[]): Attack {
  const selection = isLeafType(getNamedType(type.getFields()[field]?.type)) ? '' : '{ __typename }';
  const kind = type === schema.getMutationType() ? 'mutation' : 'query';
  const declared = args.map(({ name, type: of }) => `$${name}: ${of}`).join(', ');
  const given = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const query = `${kind}(${declared}) { ${field}(${given}) ${selection} }`;
  return {
    name: `arguments: ${kind} ${field}`,
    async carryOut(target, random) {
      const answers = [];
      for (let n = 0; n < REQUESTS_OF_FIELD; n++) {
        const variables: Record<string, unknown> = {};
        for (const { name, type: of } of args) {
          if (isNonNullType(of) || random.next() < 0.5) variables[name] = makeValue(of, name, target, random);
        }
        const headers = { ...target.apiHeaders, 'x-forwarded-for': addressOf(random) };
        answers.push(await send(target.port, apiRequest(headers, query, variables)));
      }
      return answers;
    },
  };
}

type Known = { postId: string; commentId: string; userId: string };

/** A value that the type allows, mostly, and that is hard to process. */
function makeValue(type: GraphQLInputType, name: string, known: Known, random: Random): unknown {
  if (isNonNullType(type)) return makeValue(type.ofType, name, known, random);
  if (isListType(type)) {
    const length = random.pick([0, 1, 3, 60, 1_500]) ?? 0;
    const items: unknown[] = [];
    for (let size = 0; items.length < length && size < MAX_LIST_CHARACTERS; ) {
      const item = makeValue(type.ofType, name, known, random);
      size += JSON.stringify(item)?.length ?? 0;
      items.push(item);
    }
    return items;
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || random.next() < 0.4);
    return Object.fromEntries(fields.map((field) => [field.name, makeValue(field.type, field.name, known, random)]));
  }
  if (isEnumType(type)) return random.pick(type.getValues())?.name;
  switch (type.name) {
    case 'Boolean':
      return random.next() < 0.5;
    case 'Int':
      return random.pick([0, -1, 1, 100, 2 ** 31 - 1, -(2 ** 31), 1.5]);
    case 'DateTime':
      return random.pick([
        '2026-02-30T00:00:00Z',
        '+275760-09-13T00:00:00Z',
        '1e400',
        '',
        '2026-01-01',
        hostileText(random),
      ]);
    case 'JSON':
      return { [hostileText(random)]: hostileText(random), __proto__: null, list: [hostileText(random), 1e308, -0] };
    default:
      return random.next() < 0.3 ? idOf(name, known, random) : hostileText(random);
  }
}

/** An id that leads to something, so that what comes behind the search for it is reached too. */
function idOf(name: string, { postId, commentId, userId }: Known, random: Random): string {
  return /comment|parent/i.test(name) ? commentId : (random.pick([postId, commentId, userId, 'ada']) ?? postId);
}

function hostileText(random: Random): string {
  return `${random.pick(Object.values(hostileTexts))?.(random.pick(LENGTHS) ?? 1)}`;
}
