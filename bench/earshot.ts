import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './postgres.ts';
import { startNode, stop } from './processes.ts';
import { environmentOf, headersOf, type Store } from './stores.ts';

/** Earshot started as its users start it: `serve` on an existing store. */
export type Served = { url: string; pid: number; startedAt: number; stop(): Promise<void> };

const PATIENCE_MS = 20_000;
const POLL_MS = 2;

/** Starts `node dist/main.js serve`; it is not yet ready. */
export async function startEarshot(store: Store, more: Record<string, string> = {}): Promise<Served> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const env = { ...environmentOf(store), PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...more };
  const child = startNode('server', { file: '../dist/main.js', args: ['serve'], env });
  child.stdout?.resume();
  return { url: `http://127.0.0.1:${port}`, pid: requirePid(child), startedAt, stop: () => stop(child) };
}

/** Asks again and again until the answer is 200, and gives the milliseconds since the start. */
export async function untilAnswered({ url, startedAt }: Served, path: string, init?: RequestInit): Promise<number> {
  for (;;) {
    const status = await fetch(`${url}${path}`, init).then(statusOfGoodAnswer, () => 0);
    const elapsed = performance.now() - startedAt;
    if (status === 200) return elapsed;
    if (elapsed > PATIENCE_MS) throw new Error(`Earshot has not answered ${path} after ${PATIENCE_MS} ms`);
    await delay(POLL_MS);
  }
}

/** A request to the API that needs key, user and store. */
export function apiRequest(store: Store): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(store) },
    body: JSON.stringify({ query: '{ posts(limit: 20) { nodes { id title } } }' }),
  };
}

async function statusOfGoodAnswer(response: Response): Promise<number> {
  const text = await response.text();
  return text.startsWith('{"errors"') ? 0 : response.status;
}

function requirePid(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('Earshot could not be started');
  return child.pid;
}
