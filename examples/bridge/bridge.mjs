// A bridge from Earshot webhooks to the hook of a flow (Zapier, Make, n8n, Power Automate), which cannot answer the
// verification request. Node.js 20 or newer, without dependencies.
//
//   FORWARD_URL=https://hooks.zapier.com/… SIGNING_SECRET=… VERIFY_TOKEN=… node bridge.mjs
//
// Enter http://127.0.0.1:8787/webhook, or where your proxy serves it, as the URL of the webhook (PORT and HOST change
// where it listens). It answers the verification request, checks signatures, and passes each event on as it came. Nothing
// is stored: Earshot gets its answer once the hook has the event, and sends it again later if the hook does not.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { FORWARD_URL = '', SIGNING_SECRET = '', VERIFY_TOKEN = '', PORT = '8787', HOST = '127.0.0.1' } = process.env;
if (!URL.canParse(FORWARD_URL) || SIGNING_SECRET === '') {
  console.error('Set FORWARD_URL to the URL of the hook, and SIGNING_SECRET to that of the webhook.');
  process.exit(2);
}

/** Events have at most 300 KiB; anything larger than this is not from Earshot. */
const MAX_BYTES = 1024 * 1024;
/** Earshot waits for 5 seconds. */
const HOOK_LIMIT_MS = 4_000;

const server = createServer(async (request, response) => {
  // A request that cannot be read, or breaks off, must not end the bridge.
  const answer = await handle(request).catch(() => 400);
  if (typeof answer === 'string') response.writeHead(200, { 'content-type': 'text/plain' }).end(answer);
  else response.writeHead(answer).end();
});

/** The status to answer with, or the challenge. */
async function handle(request) {
  const { pathname, searchParams: query } = new URL(`http://localhost${request.url}`);
  if (pathname !== '/webhook') return 404;
  if (request.method === 'GET') {
    const isOurs = query.get('hub.mode') === 'subscribe' && isSame(query.get('hub.verify_token') ?? '', VERIFY_TOKEN);
    return isOurs ? (query.get('hub.challenge') ?? '') : 403;
  }
  if (request.method !== 'POST') return 405;
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= MAX_BYTES) chunks.push(chunk);
  }
  if (length > MAX_BYTES) return 413;
  const body = Buffer.concat(chunks);
  const expected = `sha256=${createHmac('sha256', SIGNING_SECRET).update(body).digest('hex')}`;
  if (!isSame(request.headers['x-hub-signature'] ?? '', expected)) return 403;
  return forward(body, request.headers);
}

/**
 * Whatever a hook refuses with, 502 keeps the event for later: a 401 or 403 would mean a wrong signature, and a 410, with
 * which some answer while the flow is paused, would disable the webhook.
 */
async function forward(body, { 'webhook-id': id = '', 'x-earshot-event': event = '' }) {
  const headers = { 'content-type': 'application/json', 'webhook-id': id, 'x-earshot-event': event };
  const signal = AbortSignal.timeout(HOOK_LIMIT_MS);
  try {
    const { status } = await fetch(FORWARD_URL, { method: 'POST', headers, body, redirect: 'error', signal });
    console.log(`${event} ${id}: ${status}`);
    return status >= 200 && status <= 299 ? 200 : 502;
  } catch (error) {
    console.log(`${event} ${id}: ${error.cause?.code ?? error.name}`);
    return 502;
  }
}

/** Compares in constant time. */
function isSame(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

server.listen(Number(PORT), HOST, () => console.log(`listening on http://${HOST}:${PORT}/webhook`));
