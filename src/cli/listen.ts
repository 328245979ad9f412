import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { EventSourceMessage } from 'eventsource-parser';
import { isPrefix, prefixOf } from '../platform/http/prefix.ts';
import { MINUTE_MS, SECOND_MS, systemClock } from '../platform/lib/clock.ts';
import { isId } from '../platform/lib/ids.ts';
import { VERSION } from '../platform/version.ts';
import { senderHeaders } from '../webhooks/http/sender.ts';
import { signatureHeaders } from '../webhooks/signing/signature.ts';
import { parseIdentity } from './key.ts';
import type { Environment } from './store.ts';
import type { Terminal } from './terminal.ts';

/** How long the receiver may take for an event. */
const RECEIVER_LIMIT_MS = 15 * SECOND_MS;
/** The pause before the stream is opened again, unless the server names another. */
const PAUSE_MS = 3 * SECOND_MS;
/** Characters of one message: an event has at most some 300,000. */
const MAX_MESSAGE = 2_000_000;

/** A stream that has sent nothing for as long is at the end of the log. */
const QUIET_MS = 10 * SECOND_MS;
/** How much later than its id an event can come into the log. */
const LONGEST_WRITE_MS = MINUTE_MS;

/** As a cursor: what happens from now on. */
const END = 'end';

type ListenOptions = {
  server: string;
  forward: string;
  from?: string;
  replay?: string;
  types?: string;
  as?: { ssoType: string; ssoId: string };
};

/** What is received, and where it goes. */
type Listening = { source: URL; headers: Record<string, string>; forward: string; secret: string | null };

/** `listen`: sends events to a receiver that the server cannot reach. */
export function addListen(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('listen')
    .description(
      'send the events of a board to a receiver that the server cannot reach, such as one on this machine, as webhooks do. ' +
        'EARSHOT_API_KEY is a key of the board; with SIGNING_SECRET, messages are signed. Ends with Ctrl+C',
    )
    .requiredOption('--server <url>', 'address of Earshot', parseUrl)
    .requiredOption('--forward <url>', 'URL of the receiver', parseUrl)
    .option('--from <cursor>', 'continue after this event (default: with what happens from now on)')
    .option('--replay <id>', 'send only this event, again: the id of an event or of a delivery', parseEventId)
    .option('--types <types>', 'only these events, separated by commas')
    .option(
      '--as <ssotype:userId>',
      'user whose view of the board is used (default: the default user of the key)',
      parseIdentity,
    )
    .action((options: ListenOptions) => listen(options, env, terminal));
}

function parseUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

/** The id of an event, with which those of its deliveries begin. */
function parseEventId(text: string): string {
  const [, id] = /^(.{36})(-[0-9a-f]{12})?$/.exec(text.trim().toLowerCase()) ?? [];
  if (id !== undefined && isId(id)) return id;
  throw new InvalidArgumentError('It must be the id of an event or of a delivery.');
}

async function listen(options: ListenOptions, env: Environment, terminal: Terminal): Promise<void> {
  const apikey = env.EARSHOT_API_KEY?.trim();
  if (!apikey) throw new Error('EARSHOT_API_KEY is not set: create a key with the permission read');
  const source = new URL(`${isPrefix(options.server) ? prefixOf(options.server) : ''}/api/v1/events`, options.server);
  if (options.types !== undefined) source.searchParams.set('types', options.types);
  const user = options.as && { ssotype: options.as.ssoType, ssoid: options.as.ssoId };
  const headers = { ...senderHeaders(VERSION), apikey, ...user };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const listening = { source, headers, forward: options.forward, secret: env.SIGNING_SECRET || null };
  if (options.replay !== undefined) return replay(listening, options.replay, options.from, stop.signal, terminal);
  const last = await followTo(listening, options.from ?? END, stop.signal, terminal);
  if (last !== END) terminal.out(`Continue with --from ${last}`);
}

/** Sends one event of the log again, as webhooks would now. */
async function replay(
  listening: Listening,
  id: string,
  from: string | undefined,
  stop: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  const message = await findMessage(listening, id, from, stop);
  if (message) terminal.out(await send(listening, message, stop));
  else throw new Error(`There is no event ${id} that this user may see, or it is no longer kept`);
}

/** Reads the log until the event is there, or cannot come any more. */
async function findMessage(listening: Listening, id: string, from: string | undefined, stop: AbortSignal) {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), QUIET_MS);
  try {
    for await (const message of await open(listening, from, AbortSignal.any([stop, end.signal]))) {
      timer.refresh();
      const { id: current } = JSON.parse(message.data) as { id: string };
      if (current === id) return message;
      if (timeOf(current) > timeOf(id) + LONGEST_WRITE_MS) return null;
    }
  } catch (error) {
    if (end.signal.aborted) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
  throw new Error('The server ended the stream before the event came: try again');
}

/** The time in an id (RFC 9562, section 5.7), which is made just before the event is in the log. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 13).replace('-', ''), 16);
}

/** Follows until it is stopped. @returns the cursor of the last event that was sent */
async function followTo(listening: Listening, from: string, stop: AbortSignal, terminal: Terminal): Promise<string> {
  let last = from;
  while (!stop.aborted) {
    try {
      // The first id is where the stream begins.
      const opened = await open(listening, last, stop, (id) => {
        if (last === END) last = id;
      });
      terminal.out(`Listening to ${listening.source.origin}; sending to ${listening.forward}`);
      for await (const message of opened) {
        const line = await send(listening, message, stop);
        if (stop.aborted) break;
        terminal.out(line);
        last = message.id ?? last;
      }
      await pause(PAUSE_MS, stop);
    } catch (error) {
      if (stop.aborted) break;
      if (!(error instanceof TemporaryError) && !(error instanceof TypeError)) throw error;
      terminal.error(`${error.message}; trying again`);
      await pause(error instanceof TemporaryError ? error.pauseMs : PAUSE_MS, stop);
    }
  }
  return last;
}

/** A response after which the stream can be opened again. */
class TemporaryError extends Error {
  readonly pauseMs: number;

  constructor(message: string, pauseMs: number) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

async function open(
  { source, headers }: Listening,
  last: string | undefined,
  stop: AbortSignal,
  onId: (id: string) => void = () => {},
) {
  const { EventSourceParserStream } = await import('eventsource-parser/stream');
  const from = last === undefined ? source : withParameter(source, 'after', last);
  const response = await fetch(from, { headers, signal: stop, redirect: 'manual' });
  if (response.status !== 200 || !response.body) throw await explain(response);
  return response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_MESSAGE, onId }));
}

function withParameter(url: URL, name: string, value: string): URL {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed;
}

async function explain(response: Response): Promise<Error> {
  const body = (await response.json().catch(() => null)) as { errors?: { message?: string }[] } | null;
  const message = body?.errors?.[0]?.message ?? `The server responded with status ${response.status}`;
  if (response.status !== 429 && response.status < 500) return new Error(message);
  const seconds = Number(response.headers.get('retry-after'));
  return new TemporaryError(message, seconds > 0 ? seconds * SECOND_MS : PAUSE_MS);
}

/** Sends an event with the bytes and headers that a webhook has. @returns a line about it */
async function send({ forward, secret }: Listening, { data }: EventSourceMessage, stop: AbortSignal): Promise<string> {
  const { id, event } = JSON.parse(data) as { id: string; event: string };
  const body = Buffer.from(data.replace(/^\{"id":"[^"]*",/, '{'));
  const now = systemClock.now();
  const headers = {
    'content-type': 'application/json',
    ...senderHeaders(VERSION),
    ...signatureHeaders(body, secret, { id, timestampSeconds: Math.floor(now / SECOND_MS) }),
    'X-Earshot-Event': event,
    'X-Earshot-Attempt': '1',
  };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(RECEIVER_LIMIT_MS)]);
  const answer = await fetch(forward, { method: 'POST', headers, body, signal, redirect: 'manual' })
    .then(async (response) => {
      await response.body?.cancel();
      return String(response.status);
    })
    .catch((error: Error) => `failed: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  return `${event} ${id} ${answer} (${systemClock.now() - now} ms)`;
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stop }).catch(() => {});
}
