import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { TestContext } from 'node:test';
import { parseAddress } from '../../src/platform/http/ip.ts';
import { onEnd } from './cleanup.ts';

type RecordType = keyof typeof typeNumbers;

/** A record of an answer, under the name that was asked for unless another is given. */
export type DnsRecord = { type: RecordType; value: string; ttl?: number; name?: string };

/** What the server says: records (none means that the name exists), an error, or nothing ever. */
export type DnsReply = readonly DnsRecord[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence';

const typeNumbers = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 };
const errorNumbers = { SERVFAIL: 2, NXDOMAIN: 3 };
/** What fits into a datagram by the convention of 2020; a longer answer is asked for again over TCP. */
const MAX_DATAGRAM = 1_232;

/**
 * Starts a DNS server, UDP and TCP, that answers as the test decides, anew for every question. Gives what a resolver
 * needs to ask it, and the questions so far as `A name`. It ends with its test.
 */
export async function startDns(
  t: TestContext,
  reply: (name: string, type: RecordType) => DnsReply | Promise<DnsReply>,
): Promise<{ server: string; questions: string[] }> {
  const questions: string[] = [];
  const answer = async (query: Buffer, maxLength: number): Promise<Buffer | null> => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${type} ${name}`);
    const replied = await reply(name, type);
    if (replied === 'silence') return null;
    const whole = writeAnswer(query, end, name, replied);
    return whole.length > maxLength ? writeHead(query, end, { isCut: true, error: 0, count: 0 }) : whole;
  };
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', async (chunk: Buffer) => {
      const bytes = await answer(chunk.subarray(2), 65_535);
      if (bytes) socket.write(Buffer.concat([uint16(bytes.length), bytes]));
    });
  });
  const udp = createSocket('udp4', async (query, from) => {
    const bytes = await answer(query, MAX_DATAGRAM);
    if (bytes) udp.send(bytes, from.port, from.address);
  });
  const port = await listenOnBoth(udp, tcp);
  onEnd(t, () => {
    udp.close();
    tcp.close();
  });
  return { server: `127.0.0.1:${port}`, questions };
}

/** A port that is free for UDP may be taken for TCP, so the next is tried. */
async function listenOnBoth(udp: UdpSocket, tcp: Server): Promise<number> {
  for (;;) {
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const address = tcp.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      udp.bind(port, '127.0.0.1');
      await once(udp, 'listening');
      return port;
    } catch {
      tcp.close();
      await once(tcp, 'close');
    }
  }
}

function readQuestion(query: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const asked = query.readUInt16BE(at + 1);
  const type = asked === typeNumbers.AAAA ? 'AAAA' : asked === typeNumbers.TXT ? 'TXT' : 'A';
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function writeAnswer(query: Buffer, end: number, asked: string, reply: Exclude<DnsReply, 'silence'>): Buffer {
  if (typeof reply === 'string') return writeHead(query, end, { isCut: false, error: errorNumbers[reply], count: 0 });
  const records = reply.map(({ type, value, ttl = 60, name = asked }) => {
    const data = writeData(type, value);
    const fixed = [uint16(typeNumbers[type]), uint16(1), uint16(ttl >>> 16), uint16(ttl & 0xffff), uint16(data.length)];
    return Buffer.concat([writeName(name), ...fixed, data]);
  });
  return Buffer.concat([writeHead(query, end, { isCut: false, error: 0, count: records.length }), ...records]);
}

function writeData(type: RecordType, value: string): Buffer {
  if (type === 'CNAME') return writeName(value);
  if (type === 'TXT') return Buffer.from(`${String.fromCharCode(value.length)}${value}`, 'latin1');
  return Buffer.from(parseAddress(value)?.toByteArray() ?? []);
}

/** The header, and the question as it was asked: resolvers compare its letters' case too. */
function writeHead(query: Buffer, end: number, head: { isCut: boolean; error: number; count: number }): Buffer {
  const flags = 0x8580 | (head.isCut ? 0x0200 : 0) | head.error;
  const counts = [1, head.count, 0, 0].map(uint16);
  return Buffer.concat([query.subarray(0, 2), uint16(flags), ...counts, query.subarray(12, end)]);
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1'));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}
