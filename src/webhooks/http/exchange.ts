/** One request to a receiver. The URL is as the owner saved it; the body is sent unchanged. */
export type OutgoingRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Uses a connection of its own: one that turns out to be closed would be a reason to send it again. */
  isOnce?: boolean;
};

/** When each phase ended, in milliseconds from the start of the exchange; null for a phase that was not reached. */
export type Timings = {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  /** The end of the exchange, however it ended. */
  total: number;
};

/** The headers of a response, and the start of its body, as they arrived: of receivers at most 16 KiB. */
export type Answer = {
  status: number;
  /** Names in lower case, in wire order, including repetitions. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** Whether there was more of the body than was read. */
  isCut: boolean;
};

/** Why there was no response. Its details are for the owner: a host name, a limit, never a refused address. */
export type Fault =
  | { kind: 'address not allowed' }
  | { kind: 'could not resolve host'; host: string }
  | { kind: 'connection refused' }
  | { kind: 'connection failed'; reason: string }
  | { kind: 'timed out'; phase: 'dns' | 'connect' | 'tls' | 'answer' }
  | { kind: 'certificate not valid'; reason: string }
  | { kind: 'tls failed'; reason: string }
  | { kind: 'answer not understood'; reason: string }
  | { kind: 'connection closed' }
  | { kind: 'secrets cannot be decrypted' }
  | { kind: 'stopped' };

/** The result of a request. */
export type Exchange = { timings: Timings } & ({ answer: Answer; fault?: never } | { answer?: never; fault: Fault });

/**
 * Makes one request within the time limit and returns the result; it does not throw for external faults. The signal
 * ends it early, with the fault `stopped`.
 */
export type Dial = (request: OutgoingRequest, signal?: AbortSignal) => Promise<Exchange>;
