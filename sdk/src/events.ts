import { EarshotError } from './errors.ts';
import type { EventType, StreamEvent } from './event-types.ts';
import { makeDeadline, pauseAfter, sleep } from './repeat.ts';
import type { CallOptions, Transport } from './transport.ts';

/** The server says something every 15 seconds: after such a silence the connection is lost, even if it looks open. */
const SILENCE_MS = 45_000;
/** Seconds before the first attempt to connect again, if the server names none. */
const FIRST_PAUSE = 3;
/** The longest that the server may name. */
const LONGEST_PAUSE = 60;
/** Of a message that has not ended; those of the server are far shorter. */
const MAX_MESSAGE_LENGTH = 4_000_000;

/** Which events to follow. */
export type FollowOptions = Pick<CallOptions, 'as' | 'signal'> & {
  /** The `cursor` of the last event you have; `end`: what happens from now on. Default: the oldest event that is kept. */
  after?: string | undefined;
  /** Default: all. */
  types?: readonly EventType[] | undefined;
};

/**
 * The events of a board: `for await (const event of earshot.follow()) …`. When the connection or the server is
 * interrupted, it connects again and goes on after the last event that was read.
 * @throws EarshotError for what does not pass: CURSOR_EXPIRED if events after the cursor are no longer kept,
 * UNAUTHENTICATED if the key was revoked
 */
export type EventStream = AsyncIterable<StreamEvent> & {
  /** Where the stream is. It also moves on when there is nothing new, so it expires later than that of an event. */
  readonly cursor: string | undefined;
};

type Deadline = ReturnType<typeof makeDeadline>;
type Message = { id?: string; data?: string; retry?: number };

export function followEvents(transport: Transport, { after, types, ...options }: FollowOptions): EventStream {
  const path = `/api/v1/events${types ? `?types=${types.join()}` : ''}`;
  let cursor = after;
  let pause = FIRST_PAUSE;
  let failures = 0;

  /** The events of one connection. */
  async function* connect(request: Request, deadline: Deadline): AsyncGenerator<StreamEvent, void> {
    const { body } = await transport.open(request, deadline.signal);
    if (!body) return;
    for await (const { id, data, retry } of messagesOf(body, deadline)) {
      failures = 0;
      if (retry) pause = retry / 1_000;
      const event = data === undefined ? null : parseEvent(data, cursor);
      if (id !== undefined) cursor = id;
      if (event) yield Object.assign(event, { cursor });
    }
  }

  async function* events(): AsyncGenerator<StreamEvent, void> {
    const { onRetry } = transport.repeating(options);
    for (;;) {
      // To clients that accept only `text/event-stream`, a temporary refusal looks like an empty stream.
      const headers: Record<string, string> = cursor ? { 'last-event-id': cursor } : {};
      const request = transport.prepare(path, headers, options);
      const deadline = makeDeadline(SILENCE_MS, options.signal);
      let failure = new EarshotError('NO_RESPONSE', 'The stream ended');
      try {
        yield* connect(request, deadline);
      } catch (error) {
        failure = deadline.explain(error);
      } finally {
        deadline.end();
      }
      const seconds = pauseAfter(failure, failures++, pause, LONGEST_PAUSE);
      if (seconds === null) throw failure;
      onRetry?.(failure, seconds);
      await sleep(seconds, options.signal);
    }
  }

  return {
    [Symbol.asyncIterator]: events,
    get cursor() {
      return cursor === 'end' ? undefined : cursor;
    },
  };
}

/** The complete messages of a stream. While one is worked on, its silence does not count. */
async function* messagesOf(body: ReadableStream<Uint8Array>, deadline: Deadline) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      deadline.extend();
      const { done, value } = await reader.read();
      deadline.pause();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield parseMessage(block);
      if (rest.length > MAX_MESSAGE_LENGTH)
        throw unexpected(`A message has more than ${MAX_MESSAGE_LENGTH} characters`);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** An event cannot be skipped, so what is not one ends the stream. */
function parseEvent(data: string, before: string | undefined): StreamEvent {
  try {
    return { ...JSON.parse(data) };
  } catch (cause) {
    throw unexpected(`The event after ${before ? `cursor ${before}` : 'the start'} is not JSON`, cause);
  }
}

const unexpected = (message: string, cause?: unknown) => new EarshotError('UNEXPECTED_RESPONSE', message, { cause });

function parseMessage(block: string): Message {
  const message: Message = {};
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') message.id = value;
    if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`;
    if (name === 'retry' && /^\d+$/.test(value)) message.retry = Number(value);
  }
  return message;
}
