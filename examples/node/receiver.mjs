// A receiver for Earshot webhooks in Node.js 20 or newer, without dependencies.
//
//   VERIFY_TOKEN=… SIGNING_SECRET=… node receiver.mjs
//
// It listens on http://127.0.0.1:8787/webhook (PORT changes that), answers the verification request, and prints
// every event with a valid signature. Without SIGNING_SECRET it accepts every request: use that only for testing.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.env.PORT || 8787);
const verifyToken = process.env.VERIFY_TOKEN ?? '';
const signingSecret = process.env.SIGNING_SECRET ?? '';
// Events have at most 300 KiB; anything larger than this is not from Earshot.
const maxBytes = 1024 * 1024;

/** Processed events. Keep them in your database: an event can arrive twice, even after a restart. */
const seen = new Set();

const server = createServer((request, response) => {
  const url = new URL(`http://localhost${request.url}`);
  if (url.pathname !== '/webhook') return answer(response, 404);
  if (request.method === 'GET') return confirm(url.searchParams, response);
  if (request.method === 'POST') return receive(request, response);
  answer(response, 405);
});

/** The verification request: the bare challenge as the body means yes. */
function confirm(query, response) {
  const isOurs = query.get('hub.mode') === 'subscribe' && isSame(query.get('hub.verify_token') ?? '', verifyToken);
  if (!isOurs) return answer(response, 403);
  response.writeHead(200, { 'content-type': 'text/plain' }).end(query.get('hub.challenge'));
  console.log('confirmed');
}

function receive(request, response) {
  const chunks = [];
  let length = 0;
  request.on('data', (chunk) => {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  });
  request.on('end', () => {
    if (length > maxBytes) return answer(response, 413);
    // The signature is over these bytes: check it before they are parsed.
    const body = Buffer.concat(chunks);
    if (!isSigned(body, request.headers['x-hub-signature'])) return answer(response, 403);
    const id = request.headers['webhook-id'];
    const event = parse(body);
    if (!event || !id) return answer(response, 400);
    // Respond within 5 seconds and do the work afterwards. Store the event before you respond.
    answer(response, 200);
    if (seen.has(id)) return;
    seen.add(id);
    console.log(`verified ${event.event} ${JSON.stringify(event.data)}`);
  });
}

function isSigned(body, header = '') {
  if (signingSecret === '') return true;
  return isSame(header, `sha256=${createHmac('sha256', signingSecret).update(body).digest('hex')}`);
}

/** Compares in constant time. */
function isSame(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function answer(response, status) {
  response.writeHead(status).end();
}

server.listen(port, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${port}/webhook`));
