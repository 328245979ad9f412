import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { answerQuestions } from '../variants/answer.ts';
import type { Writing } from '../webhook-writers.ts';

/** Clients that each send a write, wait for its answer, and send the next one. */
const agent = new Agent({ keepAlive: true });

await answerQuestions('ready', { write }, () => agent.destroy());

/** Writes for so long, and gives the ids of what was made. */
async function write({ url, headers, body, hasKeys, clients, seconds }: Writing): Promise<string[]> {
  const end = performance.now() + seconds * 1_000;
  const ids: string[] = [];
  async function client(): Promise<void> {
    while (performance.now() < end) {
      const key = hasKeys ? { 'idempotency-key': randomUUID() } : {};
      ids.push(await send(url, { 'content-type': 'application/json', ...headers, ...key }, body));
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  return ids;
}

async function send(url: string, headers: Record<string, string>, body: string): Promise<string> {
  const sending = request(url, { method: 'POST', agent, headers });
  sending.end(body);
  const response = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    sending.once('response', resolve).once('error', reject);
  });
  const answer = await text(response);
  const id: unknown = JSON.parse(answer).data?.createPost?.id;
  if (typeof id !== 'string') throw new Error(`Not a good answer: ${answer}`);
  return id;
}
