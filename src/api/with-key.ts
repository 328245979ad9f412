import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission, Gate } from '../identity/keys/gate.ts';
import { apiKeyOf, sendRefusal, sendWindows } from '../identity/keys/request.ts';
import { AppError, type ErrorCode } from '../platform/errors.ts';
import type { Clock } from '../platform/lib/clock.ts';

/** What differs between endpoints: where the key is, or which agent asks without one, and how an answer tells that the request has failed. */
type Ways<T> = {
  apiKey?: string | undefined;
  agentId?: string | null;
  failureOf?: (answer: T) => ErrorCode | undefined;
};

/**
 * Carries out a request with a key once it is admitted: reports its limits, counts its result, and says after a refusal
 * when to try again.
 */
export async function withKey<T>(
  { gate, clock }: { gate: Gate; clock: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
  work: (admission: Admission) => Promise<T>,
  { apiKey = apiKeyOf(request), agentId = null, failureOf = () => undefined }: Ways<T> = {},
): Promise<T> {
  try {
    const admission = await gate.admit({ apiKey, agentId, address: request.address });
    if (admission.key.rateRules.length > 0) sendWindows(reply, gate.windowsOf(admission.key), clock.now());
    return await counted(gate, admission, () => work(admission), failureOf);
  } catch (error) {
    sendRefusal(reply, error, clock.now());
    throw error;
  }
}

/** The result is known once the response begins. */
async function counted<T>(
  gate: Gate,
  admission: Admission,
  work: () => Promise<T>,
  failureOf: (answer: T) => ErrorCode | undefined,
): Promise<T> {
  try {
    const answer = await work();
    gate.countAnswer(admission, failureOf(answer));
    return answer;
  } catch (error) {
    gate.countAnswer(admission, error instanceof AppError ? error.code : 'INTERNAL_SERVER_ERROR');
    throw error;
  }
}
