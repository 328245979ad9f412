import { createServer } from 'node:http';
import { brotliCompress, constants } from 'node:zlib';
import { domToReact, htmlToDOM } from 'html-react-parser';
import { renderToString } from 'react-dom/server';
import { readPage } from './page-source.ts';
import { announce } from './serve.ts';

/** Renders the markup of the page from elements made once, and compresses it: no data, no routes, no headers. */
const elements = domToReact(htmlToDOM(await readPage()) as never);

const server = createServer((_, response) => {
  const html = `<!DOCTYPE html>${renderToString(elements)}`;
  brotliCompress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }, (error, body) => {
    if (error) return response.writeHead(500).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  announce(server, async () => {
    server.closeAllConnections();
    server.close();
  });
});
