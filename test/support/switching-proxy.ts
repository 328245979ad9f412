import { connect, createServer, type Socket } from 'node:net';

/** A fixed address in front of a database, as a failover manager has one. */
export type SwitchingProxy = {
  port: number;
  /** Breaks every connection, and sends new ones to this port from now on. */
  switchTo(port: number): void;
  /** Sends new connections to this port, and leaves the others as they are. */
  leadTo(port: number): void;
  close(): Promise<void>;
};

/** Passes connections on to a port of this machine. */
export async function startSwitchingProxy(port: number): Promise<SwitchingProxy> {
  let target = port;
  const sockets = new Set<Socket>();
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((socket) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as { port: number }).port,
    switchTo(next) {
      target = next;
      breakAll();
    },
    leadTo(next) {
      target = next;
    },
    async close() {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
