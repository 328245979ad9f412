import { createServer } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';
import { readPage } from './page-source.ts';
import { announce } from './serve.ts';

/** The most that Node can do: a server that answers the page, compressed once, whatever the request says. */
const body = brotliCompressSync(await readPage(), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-encoding': 'br',
  'content-length': body.length,
};

const server = createServer((_, response) => {
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  announce(server, async () => {
    server.closeAllConnections();
    server.close();
  });
});
