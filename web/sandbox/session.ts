import { prefix } from '../tools/api.ts';

const place = `${prefix}/api/v1/sandbox`;

/** The visitor's sandbox. */
export type Session = {
  headers: Record<string, string>;
  postId: string | null;
  webhook: { url: string; verifyToken: string; signingSecret: string };
  idleMinutes: number;
};

/** A request that the webhook was sent, and the status that the inbox answered. */
export type Received = {
  id: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  status: number;
  receivedAt: string;
};

/** No sandbox is available now; `retryAfter` is in seconds. */
export class BusyError extends Error {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('All sandboxes are in use');
    this.retryAfter = retryAfter;
  }
}

/** The visitor's sandbox, created if there is none. @throws BusyError */
export async function openSession(): Promise<Session> {
  const response = await fetch(`${place}/board`, { method: 'POST' });
  if (response.ok) return response.json();
  const retryAfter = Number(response.headers.get('retry-after'));
  throw retryAfter > 0 ? new BusyError(retryAfter) : new Error(`The server answered ${response.status}`);
}

/** Removes the sandbox with everything in it. */
export async function endSession(): Promise<void> {
  await fetch(`${place}/board`, { method: 'DELETE' });
}

/** What the webhook was sent after the request with this id; null if the sandbox no longer exists. */
export async function loadReceived(after: string): Promise<Received[] | null> {
  const response = await fetch(`${place}/requests?after=${after}`);
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
  return (await response.json()).requests;
}
