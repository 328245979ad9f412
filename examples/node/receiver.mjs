// A receiver for the webhooks of Earshot in Node.js, without dependencies.
//
//   VERIFY_TOKEN=… SIGNING_SECRET=… node receiver.mjs
//
// It listens on http://localhost:8787/webhook (PORT changes that), confirms the address when it is asked to, and prints
// every event whose signature is right. Without SIGNING_SECRET it believes everybody: only for a first try.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.env.PORT ?? 8787);
const verifyToken = process.env.VERIFY_TOKEN ?? '';
const signingSecret = process.env.SIGNING_SECRET ?? '';

/** Events that were dealt with. Keep them in your database: one can arrive twice. */
const seen = new Set();

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname !== '/webhook') return answer(response, 404);
  if (request.method === 'GET') return confirm(url.searchParams, response);
  if (request.method === 'POST') return receive(request, response);
  answer(response, 405);
});

/** "Do you want these events?" The bare challenge as the body says yes. */
function confirm(query, response) {
  const isOurs = query.get('hub.mode') === 'subscribe' && (query.get('hub.verify_token') ?? '') === verifyToken;
  if (!isOurs) return answer(response, 403);
  response.writeHead(200, { 'content-type': 'text/plain' }).end(query.get('hub.challenge'));
  console.log('confirmed');
}

function receive(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    // The signature is over these bytes: check it before they are parsed.
    const body = Buffer.concat(chunks);
    if (!isSigned(body, request.headers['x-hub-signature'])) return answer(response, 403);
    // Answer first, work afterwards: there are 5 seconds.
    answer(response, 200);
    const id = request.headers['webhook-id'];
    if (seen.has(id)) return;
    seen.add(id);
    const { event, data } = JSON.parse(body);
    console.log(`verified ${event} ${JSON.stringify(data)}`);
  });
}

function isSigned(body, header = '') {
  if (signingSecret === '') return true;
  const expected = Buffer.from(`sha256=${createHmac('sha256', signingSecret).update(body).digest('hex')}`);
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function answer(response, status) {
  response.writeHead(status).end();
}

server.listen(port, () => console.log(`listening on http://localhost:${server.address().port}/webhook`));
