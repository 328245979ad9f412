import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LARGEST_BODY, type ReachAnswer } from '../../operations/reach/answer.ts';
import { readSeen } from '../../operations/reach/seen.ts';
import { REACH_PATH, readToken, STREAM_PATH, TOKEN_HEADER } from '../../operations/reach/token.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { type Clock, SECOND_MS } from '../../platform/lib/clock.ts';
import { VERSION } from '../../platform/version.ts';
import { STREAM_TYPE } from '../stream/media-type.ts';

type ReachDeps = {
  clock: Clock;
  cipher: Cipher;
  baseUrl: string;
  trustProxy: number | readonly string[];
};

/** What comes back if cookies pass the proxy in both directions. */
const COOKIE = 'earshot.reach';
/** How long a stream says nothing more: a proxy that collects responses delays its beginning for as long. */
const PAUSE_MS = 4 * SECOND_MS;

/**
 * What `earshot doctor` asks through the public address: what the server sees of the request, how much of a body arrives,
 * and a stream. Requests without a token made with the key of the store get the response of a path that does not exist,
 * before their body is read.
 */
export function reachRoute(app: FastifyInstance, deps: ReachDeps): void {
  const { clock, cipher, baseUrl, trustProxy } = deps;
  const attributes = `Path=/; Max-Age=60; HttpOnly; SameSite=Lax${baseUrl.startsWith('https:') ? '; Secure' : ''}`;
  const tokenOf = ({ headers }: FastifyRequest) => readToken(cipher, headers[TOKEN_HEADER], clock.now());
  const isForFresh = ({ method, routeOptions }: FastifyRequest) =>
    method === 'POST' || routeOptions.url === STREAM_PATH;
  app.addHook('onRequest', async (request, reply) => {
    const token = tokenOf(request);
    if (!token || (!token.isFresh && isForFresh(request))) return reply.callNotFound();
    reply.header('cache-control', 'no-store');
  });
  app.get(REACH_PATH, { exposeHeadRoute: false }, async (request, reply): Promise<ReachAnswer> => {
    const { nonce, isFresh } = tokenOf(request) ?? { nonce: '', isFresh: false };
    reply.header('set-cookie', `${COOKIE}=${nonce}; ${attributes}`);
    const hasCookie = request.headers.cookie?.includes(`${COOKIE}=`) ?? false;
    const details = { version: VERSION, baseUrl, trustProxy, seen: readSeen(request), hasCookie };
    return { nonce, now: clock.now(), details: isFresh ? details : null };
  });
  app.post(REACH_PATH, async ({ raw }) => ({ bytes: await countBytes(raw) }));
  app.get(STREAM_PATH, { exposeHeadRoute: false }, sendSlowly);
}

async function countBytes(body: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY) break;
  }
  return bytes;
}

/** As streams of events do. */
function sendSlowly(_: FastifyRequest, reply: FastifyReply): FastifyReply {
  async function* parts() {
    yield ': begins\n\n';
    await delay(PAUSE_MS, undefined, { ref: false });
    yield ': ends\n\n';
  }
  reply.type(STREAM_TYPE).header('x-accel-buffering', 'no');
  return reply.send(Readable.from(parts(), { objectMode: false }));
}
