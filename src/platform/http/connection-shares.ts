import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Holding, Shares } from '../limits/shares.ts';
import { makeTrust } from './address.ts';
import { networkOf, plainAddress } from './ip.ts';

/** A connection, and the request that it waits for or that is being answered. */
type Connection = { holding: Holding; request: IncomingMessage | null };

/**
 * Lets a server have at most so many connections, and one network half of them unless it is that of a trusted proxy.
 * Instead of the newest, the longest idle one of the network with the most is closed: one that has sent nothing, waits
 * for its next request, or is in the middle of one.
 * @param trusted as for `makeAddressReader`
 */
export function shareConnections(server: Server, most: number, trusted: number | readonly string[]): void {
  const shares = new Shares({ all: most, network: Math.ceil(most / 2) });
  const isTrusted = makeTrust(trusted);
  const connections = new WeakMap<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    const holding = shares.hold({
      network: networkOf(address),
      isProxy: isTrusted(address, 0),
      isIdle: () => !connection.request?.complete,
      lose: () => socket.destroy(),
    });
    const connection: Connection = { holding, request: null };
    connections.set(socket, connection);
    socket.once('close', () => holding.release());
    holding.add(1);
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.request = request;
    response.once('close', () => {
      if (connection.request === request) connection.request = null;
      connection.holding.touch();
    });
  });
}
