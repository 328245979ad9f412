import type { TestContext } from 'node:test';
import { makeAddressRules } from '../../src/webhooks/http/address.ts';
import { makeDialler } from '../../src/webhooks/http/dial.ts';
import type { Dial, Exchange, OutgoingRequest } from '../../src/webhooks/http/exchange.ts';
import { makeResolver } from '../../src/webhooks/http/resolve.ts';
import { type DnsReply, startDns } from './dns.ts';
import { type Receiver, type Script, startReceiver } from './raw-receiver.ts';

/** What a receiver answers when all is well. */
export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** A receiver's script that answers every request with these bytes; a text has one byte for each character. */
export function answering(text: string | Buffer): Script {
  return { answer: (socket) => socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text) };
}

type Setup = { opened?: string[]; deadlineMs?: number; ca?: string; names?: (name: string) => DnsReply };

/** A dialler for which 127.0.0.0/8 is opened and every name stands for 127.0.0.1, unless told otherwise. */
export async function makeTestDialler(t: TestContext, setup: Setup = {}): Promise<{ dial: Dial }> {
  const {
    opened = ['127.0.0.0/8'],
    deadlineMs = 10_000,
    ca,
    names = () => [{ type: 'A', value: '127.0.0.1' }],
  } = setup;
  const { server } = await startDns(t, (name, type) => (type === 'A' ? names(name) : []));
  const rules = makeAddressRules(opened);
  const resolve = makeResolver({ rules, servers: [server] });
  return { dial: makeDialler({ rules, resolve, deadlineMs, ...(ca !== undefined && { ca }) }) };
}

type Pair = {
  receiver: Receiver;
  dial: Dial;
  url: string;
  /** Sends a small request to the receiver, or one that differs from it. */
  post(more?: Partial<OutgoingRequest>, signal?: AbortSignal): Promise<Exchange>;
};

/** A dialler, and a receiver with a script. */
export async function startPair(t: TestContext, script: Script, setup: Setup = {}): Promise<Pair> {
  const receiver = await startReceiver(t, script);
  const { dial } = await makeTestDialler(t, setup);
  const url = `${script.tls ? 'https://hooks.example.com' : 'http://127.0.0.1'}:${receiver.port}/hook`;
  const request: OutgoingRequest = { method: 'POST', url, headers: { 'x-test': '1' }, body: Buffer.from('{}') };
  return { receiver, dial, url, post: (more, signal) => dial({ ...request, ...more }, signal) };
}
