import { Agent, request } from 'node:http';
import { signatureHeaders } from '../../src/webhooks/signing/signature.ts';
import { requireVariable } from './serve.ts';

/** What the peers keep of a delivery in their jobs. */
export type Job = { url: string; eventId: string; body: string };

const secret = requireVariable('SIGNING_SECRET');
const agent = new Agent({ keepAlive: true });

/** Sends an event as Earshot does: the same headers, signed, on a connection that is kept. @throws unless it is taken */
export async function post({ url, eventId, body }: Job): Promise<void> {
  const bytes = Buffer.from(body);
  const stamp = { id: eventId, timestampSeconds: Math.floor(Date.now() / 1_000) };
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'bench',
    Accept: '*/*',
    'Accept-Encoding': 'identity',
    ...signatureHeaders(bytes, secret, stamp),
    'X-Earshot-Event': 'post.created',
    'X-Earshot-Attempt': '1',
  };
  const status = await new Promise<number>((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: 5_000 }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('timeout', () => sent.destroy(new Error('No answer within 5 s')));
    sent.on('error', reject);
    sent.end(bytes);
  });
  if (status < 200 || status > 299) throw new Error(`The receiver answered ${status}`);
}
