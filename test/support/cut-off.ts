import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { onEnd } from './cleanup.ts';

/** A way to a server that a test can cut off, and let through again. */
export type Way = {
  url: string;
  cut(): void;
  restore(): void;
  /** Cuts a connection off when the server responds on it, for the next responses, which are lost. */
  loseNext(responses: number): void;
};

/** Leads to the server of an address by a port of our own. */
export async function makeWayTo(t: TestContext, address: string): Promise<Way> {
  const url = new URL(address);
  const sockets = new Set<Socket>();
  let isCut = false;
  let toLose = 0;
  const server = createServer((incoming) => {
    if (isCut) return incoming.destroy();
    const outgoing = connect(Number(url.port), url.hostname);
    outgoing.on('data', () => {
      if (toLose === 0) return;
      toLose--;
      incoming.destroy();
    });
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  onEnd(t, () => {
    hangUp();
    server.close();
  });
  const own = new URL(address);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as { port: number }).port);
  return {
    url: own.href,
    cut() {
      isCut = true;
      hangUp();
    },
    restore() {
      isCut = false;
    },
    loseNext(responses) {
      toLose = responses;
    },
  };
}
