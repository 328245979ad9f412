/** One request to a receiver. The address is as the owner saved it; the body is sent as it is. */
export type OutgoingRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: Uint8Array;
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

/** A head of an answer, and the start of its body: at most 16 KiB, as they arrived. */
export type Answer = {
  status: number;
  /** Names in lower case, in the order of the wire, repeated ones repeated. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** Whether there was more of the body than was read. */
  isCut: boolean;
};

/** Why there was no answer. What is told beside it is for the owner's eyes: a host name, a limit, never an address that was refused. */
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

/** What came of a request. */
export type Exchange = { timings: Timings } & ({ answer: Answer; fault?: never } | { answer?: never; fault: Fault });

/**
 * Makes one request within the time limit and gives what came of it; it does not throw for the world's faults.
 * The signal ends it early, with the fault `stopped`.
 */
export type Dial = (request: OutgoingRequest, signal?: AbortSignal) => Promise<Exchange>;
