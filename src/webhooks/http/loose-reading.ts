import type { Socket } from 'node:net';
import type { Answer } from './exchange.ts';
import { readLoosely } from './loose-answer.ts';

/** How long after more has arrived a response is read again; twice as long each time, since some drip. */
const FIRST_PAUSE_MS = 10;

/** What a reading needs, and what it reports. */
type Conditions = {
  /** Whether an answer without all headers and the body is none. */
  needsBody: boolean;
  /** Bytes that are read of the headers and the body. */
  maxHeaderBytes: number;
  maxBodyBytes: number;
  onHeaders(): void;
  /** Nothing more will be read: `finish` has the result. */
  onEnd(): void;
};

/**
 * Reads a response that Node's parser refuses. Node destroys the connection then, and with it the part that has not
 * arrived: here it is kept open, and its first bytes are kept beside the parser.
 */
export class LooseReading {
  readonly #socket: Socket;
  readonly #conditions: Conditions;
  readonly #pieces: Buffer[] = [];
  #room: number;
  #isOn = false;
  #hasReported = false;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isDestroyed = false;

  constructor(socket: Socket, conditions: Conditions) {
    this.#socket = socket;
    this.#conditions = conditions;
    this.#room = conditions.maxHeaderBytes + conditions.maxBodyBytes;
    // The parser runs between these two listeners.
    socket.prependListener('data', this.#before).on('data', this.#after);
  }

  /** Whether Node's parser has given up and this reads on. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Reads on. @returns false if what has arrived does not begin with a status line */
  start(): boolean {
    this.#isOn = readLoosely(this.#bytes(), false) !== null;
    if (this.#isOn) this.#timer = setTimeout(this.#read);
    return this.#isOn;
  }

  /**
   * The answer as far as it has arrived; null if that is too little.
   * @param hasEnded whether nothing more can arrive
   */
  finish(hasEnded: boolean): Answer | null {
    const { needsBody, maxBodyBytes } = this.#conditions;
    const read = readLoosely(this.#bytes(), hasEnded);
    if (read === null || read === 'waiting') return null;
    if (!read.hasAllHeaders && (needsBody || !hasEnded)) return null;
    this.#report();
    const { status, headers, isWhole } = read;
    const body = read.body.subarray(0, maxBodyBytes);
    return { status, headers, body, isCut: !isWhole || this.#room === 0 || body.length < read.body.length };
  }

  /** Leaves the connection as it was. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#restore();
    this.#socket.off('data', this.#before).off('data', this.#after);
  }

  readonly #before = (piece: Buffer) => {
    if (this.#room > 0) this.#pieces.push(piece.subarray(0, this.#room));
    this.#room = Math.max(0, this.#room - piece.length);
    this.#isDestroyed = false;
    this.#socket.destroy = () => {
      this.#isDestroyed = true;
      return this.#socket;
    };
  };

  readonly #after = () => {
    this.#restore();
    if (this.#isOn) this.#timer ??= setTimeout(this.#read, this.#pauseMs);
    else if (this.#isDestroyed) this.#socket.destroy();
  };

  #restore(): void {
    delete (this.#socket as Partial<Socket>).destroy;
  }

  readonly #read = () => {
    this.#timer = undefined;
    this.#pauseMs *= 2;
    const read = readLoosely(this.#bytes(), false);
    if (read === null || this.#room === 0) return this.#conditions.onEnd();
    if (read === 'waiting') return;
    if (read.hasAllHeaders) this.#report();
    if (read.isEnded) this.#conditions.onEnd();
  };

  #report(): void {
    if (!this.#hasReported) this.#conditions.onHeaders();
    this.#hasReported = true;
  }

  #bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
