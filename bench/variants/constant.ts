import { createServer } from 'node:http';
import { announce, requireVariable } from './serve.ts';

/** The most that Node can do: a server that answers a constant, made once, whatever the request says. */
const answers: Record<string, string> = JSON.parse(requireVariable('ANSWERS'));
const byPath = new Map(
  Object.entries(answers).map(([name, body]) => [
    `/${name}`,
    { body, headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) } },
  ]),
);

const server = createServer((request, response) => {
  const answer = byPath.get(request.url ?? '');
  if (!answer) return response.writeHead(404).end();
  response.writeHead(200, answer.headers).end(answer.body);
});
server.listen(0, '127.0.0.1', () => {
  announce(server, async () => {
    server.closeAllConnections();
    server.close();
  });
});
