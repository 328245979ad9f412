import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { takeFromBudget } from '../../identity/keys/budget.ts';
import type { Admission } from '../../identity/keys/gate.ts';
import { type AppError, badRequest } from '../../platform/errors.ts';
import { allowAnyOrigin } from '../../platform/http/any-origin.ts';
import { readJson } from '../../platform/http/body.ts';
import { orNone } from '../empty-list.ts';
import { withKey } from '../with-key.ts';
import { makeCall, type WebhookDeps, waiting } from './call.ts';
import { type Operation, operations } from './operations.ts';

export const WEBHOOKS_PATH = '/api/v1/webhooks';
/** The longest body of a request, in bytes: the longest URL and secrets fit. */
export const MAX_WEBHOOK_BYTES = 16_384;
/** Characters of a message, which may repeat what was sent. */
const MAX_MESSAGE = 500;

/** Serves everything that a key can do with webhooks. */
export function webhookRoutes(app: FastifyInstance, deps: WebhookDeps): void {
  allowAnyOrigin(app, methodsByPath());
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: `${WEBHOOKS_PATH}${operation.path}`,
      exposeHeadRoute: false,
      handler: (request, reply) =>
        withKey(deps, request, reply, (admission) => answer(deps, operation, admission, request, reply)),
    });
  }
}

function methodsByPath(): Record<string, string> {
  const byPath = Map.groupBy(operations, ({ path }) => `${WEBHOOKS_PATH}${path}`);
  return Object.fromEntries([...byPath].map(([path, own]) => [path, own.map(({ method }) => method).join(', ')]));
}

async function answer(
  deps: WebhookDeps,
  operation: Operation,
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const call = await makeCall(deps, admission, request);
  const sent = operation.method === 'GET' ? request.query : parseBody(await readJson(request, MAX_WEBHOOK_BYTES));
  const input = parseInput(operation, sent) as never;
  if (operation.method !== 'GET') await takeFromBudget(deps, admission.key, { operations: 1, votes: 0 });
  const run = () => operation.run(call, input);
  const result = await (operation.reachesOut ? waiting.within(admission.board.id, run) : run());
  return reply.code(statusOf(operation)).send(operation.output ? result : undefined);
}

/** The status of a success. */
export function statusOf({ id, output }: Operation): 200 | 201 | 204 {
  if (output === null) return 204;
  return id === 'createWebhook' ? 201 : 200;
}

function parseBody(text: string): unknown {
  try {
    return orNone(JSON.parse(text || '{}'));
  } catch {
    throw badRequest('The body must be JSON');
  }
}

/** @throws BAD_REQUEST for what the schema does not allow */
function parseInput({ input }: Operation, sent: unknown): unknown {
  const { data, error } = input.safeParse(sent ?? {});
  const [issue] = error?.issues ?? [];
  if (issue) throw refusal(issue);
  return data;
}

function refusal({ path, message }: z.core.$ZodIssue): AppError {
  const place = path.join('.');
  const words = `${place === '' ? 'The request' : place}: ${message}`.slice(0, MAX_MESSAGE);
  return badRequest(words, path[0] === undefined ? undefined : String(path[0]));
}
