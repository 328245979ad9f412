import { connect } from 'node:net';

/** A request as it goes over the wire; nothing of it need be right. */
export type HostileRequest = {
  method?: string;
  path: string;
  /** Several values send a header several times. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string | Buffer;
};

/** What came back; `status` is null when no answer did. */
export type Answer = {
  status: number | null;
  /** Why there is no answer. */
  problem: string | null;
  bytes: number;
  /** How the answer begins, and no more of it than anybody wants to read. */
  text: string;
};

/** A request that is not answered by then is not answered at all. */
const ANSWER_LIMIT_MS = 60_000;
const KEPT_CHARACTERS = 4_000_000;

/** Sends a request on a connection of its own and reads the answer to its end. */
export function send(port: number, request: HostileRequest): Promise<Answer> {
  return exchange(port, encode(port, request));
}

/** The bytes of a request, which asks the server to close the connection behind its answer. */
export function encode(port: number, { method, path, headers = {}, body }: HostileRequest): Buffer {
  const own: Record<string, string | readonly string[]> = { host: `127.0.0.1:${port}`, connection: 'close' };
  const bytes = body === undefined ? null : Buffer.from(body);
  const isFramed = Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  if (bytes && !isFramed) own['content-length'] = String(bytes.length);
  const lines = Object.entries({ ...own, ...headers }).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  const head = `${method ?? (bytes ? 'POST' : 'GET')} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes ?? Buffer.alloc(0)]);
}

/** Sends bytes, whatever they are, and reads what comes until the server closes the connection. */
export function exchange(port: number, bytes: Buffer, limitMs = ANSWER_LIMIT_MS): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    let count = 0;
    const end = (problem: string) => {
      socket.destroy();
      const status = /^HTTP\/1\.1 (?:100 Continue\r\n\r\nHTTP\/1\.1 )?(\d{3}) /.exec(text)?.[1];
      const known = status === undefined ? null : Number(status);
      resolve({ status: known, problem: known === null ? problem : null, bytes: count, text });
    };
    socket.setTimeout(limitMs, () => end(`no answer within ${limitMs} ms`));
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('closed without an answer'));
    socket.on('data', (chunk: Buffer) => {
      count += chunk.length;
      if (text.length < KEPT_CHARACTERS) text += chunk.toString('latin1');
    });
    socket.write(bytes);
  });
}
