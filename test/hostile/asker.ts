import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

// A process of its own that asks two servers for their health every 5 ms: the one that is attacked, and one that has
// nothing to do, which shows what the machine itself keeps waiting. Told `take`, it says how long each was silent.

const PAUSE_MS = 5;
const [attackedPort, idlePort, attackedPid] = process.argv.slice(2).map(Number);

/** Time that a thread was ready to run and had no processor, in milliseconds; 0 where the system does not tell. */
function readWaiting(pid: number | 'self'): number {
  try {
    const [, waited] = readFileSync(`/proc/${pid}/task/${pid === 'self' ? process.pid : pid}/schedstat`, 'utf8').split(
      ' ',
    );
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}

/** Asks one server until this process ends. */
class Asker {
  readonly #port: number;
  readonly #pid: number | null;
  #longestMs = 0;
  #ownMs = 0;
  #asked = 0;
  #waiting: (() => void)[] = [];
  #socket: Socket | null = null;

  constructor(port: number, pid: number | null) {
    this.#port = port;
    this.#pid = pid;
  }

  async run(): Promise<void> {
    for (;;) {
      const noted = this.#waiting;
      this.#waiting = [];
      await this.#ask();
      for (const wake of noted) wake();
      await delay(PAUSE_MS);
    }
  }

  /** The longest time without an answer since the last look, once an answer has come that was asked for from now on. */
  async take() {
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const taken = { longestMs: this.#longestMs, ownMs: this.#ownMs, asked: this.#asked };
    this.#longestMs = 0;
    this.#ownMs = 0;
    this.#asked = 0;
    return taken;
  }

  async #ask(): Promise<void> {
    const waitedBefore = this.#readWaiting();
    const start = performance.now();
    const isAnswered = await this.#exchange();
    if (!isAnswered) return;
    const took = performance.now() - start;
    this.#asked++;
    if (took <= this.#ownMs) return;
    this.#longestMs = Math.max(this.#longestMs, took);
    // What both sides spent in line for a processor is the machine's, not the server's.
    this.#ownMs = Math.max(this.#ownMs, took - (this.#readWaiting() - waitedBefore));
  }

  #readWaiting(): number {
    return this.#pid === null ? 0 : readWaiting(this.#pid) + readWaiting('self');
  }

  /** False when the connection broke: the server may close one that it has no use for. */
  #exchange(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = this.#socket ?? connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
      this.#socket = socket;
      const end = (isAnswered: boolean) => {
        socket.removeAllListeners();
        socket.on('error', () => {});
        if (!isAnswered) {
          socket.destroy();
          this.#socket = null;
        }
        resolve(isAnswered);
      };
      socket.once('data', () => end(true));
      socket.once('error', () => end(false));
      socket.once('close', () => end(false));
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
  }
}

const attacked = new Asker(attackedPort ?? 0, attackedPid ?? null);
const idle = new Asker(idlePort ?? 0, null);
void attacked.run();
void idle.run();
process.on('message', async () => {
  const [own, noise] = await Promise.all([attacked.take(), idle.take()]);
  process.send?.({ ...own, noiseMs: noise.longestMs });
});
process.on('disconnect', () => process.exit(0));
