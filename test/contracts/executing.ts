import assert from 'node:assert/strict';
import {
  type DocumentNode,
  execute,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { answerResult } from '../../src/api/graphql/answer.ts';
import { Executor } from '../../src/api/graphql/execute.ts';
import { hashKey, readKeys } from '../../src/identity/keys/keys.ts';
import { Actors } from '../../src/identity/users/actors.ts';
import { withinTransaction } from '../../src/platform/db/db.ts';
import { AppError } from '../../src/platform/errors.ts';
import { compile } from '../../src/platform/graphql/compile.ts';
import type { Context } from '../../src/platform/graphql/context.ts';
import type { Result } from '../../src/platform/graphql/run.ts';
import { makeLog } from '../../src/platform/lib/log.ts';
import type { TestApp } from '../support/app.ts';
import { schema } from '../support/schema.ts';
import { testCipher } from '../support/sender.ts';
import { fillBoard, makeBrokenBoard, type SampleBoard } from './corpus/boards.ts';
import type { Sample } from './corpus/sample.ts';

/** What the executors made of a document, as text: equal texts have equal fields in equal order. */
export type Outcomes = { interpreted: string; compiled: string; served: string; hasRun: boolean };

/** Carries out documents with both executors, on boards that are filled once. */
export async function makeComparison(app: TestApp): Promise<(sample: Sample) => Promise<Outcomes>> {
  const boards = { good: await fillBoard(app), broken: await makeBrokenBoard(app) };
  const keys = await readKeys(app.db.read);
  const actors = new Actors(app.db, app.clock);

  async function makeContext({ as = 'ada' }: Sample, { key }: SampleBoard): Promise<Context> {
    const admission = keys.get(hashKey(key));
    assert.ok(admission);
    const headers = { ssotype: as === null ? undefined : 'SSO', ssoid: as ?? undefined, userid: undefined };
    const actor = await actors.find(admission.board, headers, admission.key);
    return {
      db: app.db,
      clock: app.clock,
      baseUrl: 'http://board.test',
      ...admission,
      rateWindows: () => [{ seconds: 60, limit: 60, remaining: 59, resetAt: app.clock.now() }],
      actors,
      cipher: testCipher,
      actor: actor instanceof AppError ? null : actor,
      actorProblem: actor instanceof AppError ? actor : null,
      steps: null,
    };
  }

  return async (sample) => {
    const place = sample.onBroken ? boards.broken : boards.good;
    const named = JSON.parse(insertIds(JSON.stringify(sample), place.ids)) as Sample;
    const document = parse(named.query);
    assert.deepEqual(validate(schema, document, specifiedRules), [], named.query);
    const carryOut = async (way: Way) => {
      const result = await onSameState(await makeContext(sample, place), (context) => way(named, document, context));
      return hideNewIds(printResult(result), place.ids);
    };
    const interpreted = await carryOut(interpret);
    return {
      interpreted,
      hasRun: 'data' in JSON.parse(interpreted),
      compiled: await carryOut(runCompiled),
      served: await carryOut(serve),
    };
  };
}

type Way = (sample: Sample, document: DocumentNode, context: Context) => Result | Promise<Result>;

const interpret: Way = ({ variables = {}, operationName }, document, contextValue) =>
  execute({ schema, document, operationName, contextValue, variableValues: variables }) as Result;

const runCompiled: Way = ({ variables = {}, operationName }, document, context) => {
  const node = document.definitions.find(
    (d): d is OperationDefinitionNode =>
      d.kind === Kind.OPERATION_DEFINITION && (operationName === undefined || d.name?.value === operationName),
  );
  assert.ok(node);
  const { variableValues, errors } = getVariableValues(schema, node.variableDefinitions ?? [], variables);
  return errors ? { errors } : compile(schema, document, node)(context, variableValues);
};

/** As the endpoint does for a document that has come before. */
const serve: Way = async ({ query, variables = {}, operationName }, _, context) => {
  const operation = new Executor(schema).prepare(query, operationName);
  await onSameState(context, async (before) => operation.with(variables).run(before));
  return operation.with(variables).run(context);
};

class Undone extends Error {}

/** Runs in a transaction that is taken back, so that the next run finds what this one found. */
async function onSameState(context: Context, run: (context: Context) => Result | Promise<Result>): Promise<Result> {
  let result: Result | null = null;
  const undone = context.db.transaction(async (tx) => {
    result = await run({ ...context, db: withinTransaction(context.db, tx) });
    throw new Undone();
  });
  await assert.rejects(undone, Undone);
  assert.ok(result);
  return result;
}

/** The result as it was thrown, and as it is answered. */
function printResult(result: Result): string {
  const asked = { requestId: 'request', log: makeLog('silent'), accept: 'application/graphql-response+json' };
  const { status, body } = answerResult(result, asked);
  const errors = result.errors?.map(({ message, locations, path }) => ({ message, locations, path }));
  return JSON.stringify({ data: result.data, errors, status, answer: JSON.parse(body) }, null, 1);
}

function insertIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(/<([a-z ]+)>/g, (place, name) => ids.get(name) ?? place);
}

/** Rows made by the document have other ids each time; they are numbered in the order of their appearance. */
function hideNewIds(text: string, ids: ReadonlyMap<string, string>): string {
  const known = new Set(ids.values());
  const found = new Map<string, string>();
  return text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
    if (known.has(id)) return id;
    if (!found.has(id)) found.set(id, `<new ${found.size}>`);
    return found.get(id) ?? id;
  });
}
