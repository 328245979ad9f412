import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A server that has nothing to do, beside the one that is attacked.
const server = createServer((_, response) => response.end('ok'));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
