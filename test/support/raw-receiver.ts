import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onEnd } from './cleanup.ts';

/** A request as it came over the wire. */
export type RawRequest = { head: string; body: Buffer; connection: number };

/** What a receiver does: when a connection is made, and when a whole request has arrived on it. */
export type Script = {
  connected?: (socket: Socket) => void;
  answer?: (socket: Socket, request: RawRequest) => void;
  /** Speaks TLS with these options. */
  tls?: TlsOptions;
};

/** A receiver that listens on 127.0.0.1: what reached it, and how many of its connections are still open. */
export type Receiver = { port: number; requests: RawRequest[]; connections(): number; open(): number };

/**
 * Starts a receiver that speaks raw TCP, or TLS, by a script: what no HTTP server would send can be sent. It ends, with
 * all its connections, when its test ends.
 */
export async function startReceiver(t: TestContext, { connected, answer, tls }: Script): Promise<Receiver> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket) => {
    connections += 1;
    const connection = connections;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    connected?.(socket);
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let read = readRequest(bytes); read; read = readRequest(bytes)) {
        bytes = bytes.subarray(read.length);
        const request = { head: read.head, body: read.body, connection };
        requests.push(request);
        answer?.(socket, request);
      }
    });
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { port, requests, connections: () => connections, open: () => sockets.size };
}

export type CertificateName = 'authority' | 'good' | 'expired' | 'self-signed' | 'wrong-name';

/** Reads a fixed certificate, and the private key that stands before it in the file. */
export function readCertificate(name: CertificateName): string {
  return readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');
}

function readRequest(bytes: Buffer): { head: string; body: Buffer; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const length = headEnd + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return bytes.length < length ? null : { head, body: bytes.subarray(headEnd + 4, length), length };
}
