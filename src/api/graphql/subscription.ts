import { GraphQLError } from 'graphql';
import type { RequestParams } from 'graphql-http';
import type { EventRow } from '../../events/events.ts';
import { cursorAfter } from '../../feedback/event-log/cursor.ts';
import { type EventArgs, parseTypes } from '../../feedback/event-log/events.graphql.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { AppError } from '../../platform/errors.ts';
import { Lane } from '../../platform/lib/lane.ts';
import { acceptsStream, isTemporary, STREAM_TYPE } from '../stream/media-type.ts';
import type { Form } from '../stream/streams.ts';
import { type Answer, type Asked, answerFailure, answerResult } from './answer.ts';
import { type Exchange, type GraphQLDeps, makeContext, refusal } from './exchange.ts';
import type { Ready } from './execute.ts';

/** Events that are resolved at a time: an event is one for each subscription, and other requests run in between. */
const RESOLVED_AT_ONCE = 4;

/** The document and the variables of a subscription are kept for as long as it is open. */
const MAX_HELD_BYTES = 16_384;

const COMPLETE = 'event: complete\ndata:\n\n';

/**
 * Carries out subscriptions over server-sent events, by the protocol of graphql-sse in its mode of distinct connections
 * (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md): the stream of `GET /api/v1/events`, with the result
 * of the subscription for each event.
 */
export class Subscriptions {
  readonly #deps: GraphQLDeps;
  readonly #lane = new Lane(RESOLVED_AT_ONCE);

  constructor(deps: GraphQLDeps) {
    this.#deps = deps;
  }

  /** @throws PAYLOAD_TOO_LARGE, and what is temporary; all other errors are results */
  async open(exchange: Exchange, params: RequestParams, ready: Ready, actor: UserRow | AppError): Promise<Answer> {
    const { request, reply, admission, requestId, log, accept } = exchange;
    if (!acceptsStream(accept)) return refusal(NEEDS_STREAM, 406, exchange);
    if (bytesOf(params) > MAX_HELD_BYTES) throw new AppError('PAYLOAD_TOO_LARGE', TOO_LONG);
    const args: EventArgs | null = ready.followed();
    if (args === null) return answerResult(await ready.run(makeContext(this.#deps, admission, actor)), exchange);
    try {
      if (actor instanceof AppError) throw actor;
      const followed = { after: args.after, types: parseTypes(args.types) };
      const form = this.#formOf(ready, { requestId, log, accept });
      const stream = await this.#deps.streams.open(request, reply, admission, followed, form);
      return { status: 200, contentType: STREAM_TYPE, body: '', stream, codes: [] };
    } catch (error) {
      if (isTemporary(error) || !(error instanceof AppError)) throw error;
      return answerResult({ errors: [new GraphQLError(error.message, { originalError: error })] }, exchange);
    }
  }

  #formOf(ready: Ready, asked: Asked): Form {
    const resolve: Form['write'] = async (event: EventRow, look) => {
      const { admission, viewer } = await look();
      const actor = viewer ?? new AppError('NOT_FOUND', 'User not found');
      const context = makeContext(this.#deps, admission, actor);
      const result = await this.#lane.within(() => ready.inTurn(() => ready.run(context, event)));
      const { body, codes } = answerResult(result, asked);
      // Without what it lacks, the event would be lost to the follower: it connects again.
      if (codes.includes('SERVICE_UNAVAILABLE')) throw new AppError('SERVICE_UNAVAILABLE', 'The store is unavailable');
      return `id: ${cursorAfter(event.seq)}\n${next(body)}`;
    };
    // By the protocol, a client connects again unless the stream is complete.
    const refuse = (error: unknown) => (isTemporary(error) ? '' : next(answerFailure(error, asked).body) + COMPLETE);
    return { write: resolve, refuse };
  }
}

/** A result as the only one of a stream. By the protocol, errors of the document come in a stream as well. */
export function inStream(answer: Answer): Answer {
  if (answer.status !== 200 || answer.contentType === STREAM_TYPE) return answer;
  return { ...answer, contentType: STREAM_TYPE, body: next(answer.body) + COMPLETE };
}

const NEEDS_STREAM =
  'A subscription needs the header Accept: text/event-stream, as clients for GraphQL over server-sent events send it';

const TOO_LONG = `The document and the variables of a subscription must have at most ${MAX_HELD_BYTES} bytes together`;

function bytesOf({ query, variables }: RequestParams): number {
  return Buffer.byteLength(query) + Buffer.byteLength(JSON.stringify(variables ?? {}));
}

/** JSON is one line. */
function next(body: string): string {
  return `event: next\ndata: ${body}\n\n`;
}
