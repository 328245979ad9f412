import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventRow } from '../../events/events.ts';
import { END, type LogCursor, parseLogCursor } from '../../feedback/event-log/cursor.ts';
import { endOfLog } from '../../feedback/event-log/list.ts';
import type { Admission, Credentials, Gate } from '../../identity/keys/gate.ts';
import { actorHeadersOf, apiKeyOf, requirePermission } from '../../identity/keys/request.ts';
import type { ActorHeaders, Actors } from '../../identity/users/actors.ts';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import type { MaybePromise } from '../../platform/lib/maybe-promise.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { findViewer } from '../viewer.ts';
import type { Bell } from './bell.ts';
import { follow } from './follow.ts';
import { FIRST_EVENTS, Followers, type Position } from './followers.ts';

export type StreamDeps = {
  db: Db;
  clock: Clock;
  log: Logger;
  baseUrl: string;
  gate: Gate;
  actors: Actors;
  metrics: Metrics;
  /** Aborted when the process stops: followers connect to another one, or later. */
  stopping: AbortSignal;
};

/** What a follower asks for: the events after a cursor. The header `Last-Event-ID` has priority. */
export type Followed = { after: string | null | undefined; types: readonly string[] | null };

/** Who follows at the moment: keys and users change while a stream is open. */
type Viewing = { admission: Admission; viewer: UserRow | null };

/** What a stream needs of its request, which it does not keep. */
type Asker = { credentials: Credentials; actor: ActorHeaders; last: string | string[] | undefined };

/** How a stream is written: an event, and the end when an error interrupts it. */
export type Form = {
  write(event: EventRow, look: () => Promise<Viewing>): MaybePromise<string>;
  refuse(error: unknown): string;
};

/** Opens streams of the event logs: for `GET /api/v1/events` and for subscriptions. */
export class Streams {
  readonly #deps: StreamDeps;
  readonly #followers: Followers;
  /** Runs what a stream does for hours outside the request that opened it, whose trace would otherwise never end. */
  readonly #apart = AsyncLocalStorage.snapshot();

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.#followers = new Followers(deps.db, deps.log);
    deps.metrics.watchStreams(() => this.#followers.count);
  }

  /**
   * Opens a stream for a request that was admitted, and prepares its reply. What is refused, is refused before anything
   * is sent. The stream ends when the process stops, or within seconds when the key or the user may no longer read.
   * @throws FORBIDDEN, BAD_REQUEST, CURSOR_EXPIRED, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE, and as `findViewer`
   */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission,
    followed: Followed,
    form: Form,
  ): Promise<Readable> {
    const { credentials, actor, last } = askerOf(request);
    // The request is there for as long as its response, and nothing reads the body of a stream again.
    request.body = undefined;
    const context = this.#contextOf(await this.#view(actor, admission));
    const from = await this.#positionOf(last, followed, context);
    const bell = this.#enter(admission, reply);
    const batch = await this.#followers.read(context, from);
    const apart = this.#apart;
    const look = () => apart(async () => this.#view(actor, await this.#deps.gate.readmit(credentials)));
    const read = (next: Position) => apart(async () => this.#followers.read(this.#contextOf(await look()), next));
    const write = (event: EventRow) => apart(() => form.write(event, look));
    // Proxies must not collect events before they pass them on.
    reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no');
    return this.#send(request.id, follow({ bell, look, read, write }, from, batch), form);
  }

  #send(requestId: string, texts: AsyncGenerator<string>, { refuse }: Form): Readable {
    const { log } = this.#deps;
    const interrupted = (err: unknown) => log.debug({ requestId, err }, 'A stream of events ends early');
    async function* toTheEnd() {
      try {
        yield* texts;
      } catch (error) {
        interrupted(error);
        yield refuse(error);
      }
    }
    return Readable.from(toTheEnd(), { objectMode: false }).on('error', interrupted);
  }

  /** Makes room for a follower until the response ends, or the process stops. */
  #enter({ board }: Admission, { raw }: FastifyReply): Bell {
    const { stopping } = this.#deps;
    const { bell, leave } = this.#apart(() => this.#followers.enter(board));
    const close = () => bell.close();
    const end = () => {
      stopping.removeEventListener('abort', close);
      close();
      leave();
    };
    stopping.addEventListener('abort', close);
    // What is there is still sent: clients take anything but a stream that ends for a reason never to connect again.
    if (stopping.aborted) close();
    // Who has left already is not announced any more.
    if (raw.destroyed) end();
    else raw.once('close', end);
    return bell;
  }

  async #positionOf(last: Asker['last'], { after, types }: Followed, context: ViewerContext): Promise<Position> {
    const from = typeof last === 'string' && last !== '' ? last : after;
    const position: LogCursor | null = from === END ? await endOfLog(context) : parseLogCursor(from);
    return { after: position, types, limit: FIRST_EVENTS };
  }

  async #view(actor: ActorHeaders, admission: Admission): Promise<Viewing> {
    requirePermission(admission, 'READ', 'a stream of events');
    const { board, key } = admission;
    return { admission, viewer: await findViewer(this.#deps.actors, actor, board, key) };
  }

  #contextOf({ admission, viewer }: Viewing): ViewerContext {
    const { db, clock, baseUrl } = this.#deps;
    return { db, clock, baseUrl, board: admission.board, actor: viewer };
  }
}

function askerOf(request: FastifyRequest): Asker {
  const credentials = { apiKey: apiKeyOf(request), address: request.address };
  return { credentials, actor: actorHeadersOf(request), last: request.headers['last-event-id'] };
}
