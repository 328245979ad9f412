// A receiver for the webhooks of Earshot in Node.js 20 or newer, without dependencies.
//
//   VERIFY_TOKEN=… SIGNING_SECRET=… node receiver.mjs
//
// It listens on http://127.0.0.1:8787/webhook (PORT changes that), confirms the address when it is asked to, and prints
// every event whose signature is right. Without SIGNING_SECRET it believes everybody: only for a first try.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.env.PORT || 8787);
const verifyToken = process.env.VERIFY_TOKEN ?? '';
const signingSecret = process.env.SIGNING_SECRET ?? '';
// Events are rarely larger than 100 KiB; what is larger than this is not ours.
const maxBytes = 1024 * 1024;

/** Events that were dealt with. Keep them in your database: one can arrive twice, also after a restart. */
const seen = new Set();

const server = createServer((request, response) => {
  const url = new URL(`http://localhost${request.url}`);
  if (url.pathname !== '/webhook') return answer(response, 404);
  if (request.method === 'GET') return confirm(url.searchParams, response);
  if (request.method === 'POST') return receive(request, response);
  answer(response, 405);
});

/** "Do you want these events?" The bare challenge as the body says yes. */
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
    // Answer first, work afterwards: there are 5 seconds. What must not be lost is written down before the answer.
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

/** Compares without telling by the time it takes how much of the text was right. */
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
