import { IMPORT_FORM_BYTES, MAX_IMPORT_BYTES } from '../imports/upload.ts';
import type { Seen } from './seen.ts';

/** What a server says of itself to those who have the key of its store. */
export type ReachAnswer = {
  /** From the token: a server with another key does not know it. */
  nonce: string;
  /** The time on the server. */
  now: number;
  /** Null for an expired token, which may have been recorded. */
  details: ReachDetails | null;
};

export type ReachDetails = {
  version: string;
  baseUrl: string;
  trustProxy: number | readonly string[];
  seen: Seen;
  /** Whether the cookie of an earlier response came back. */
  hasCookie: boolean;
};

const MIB = 1_048_576;

/** The largest body that the pages accept, a file to import with its form, in whole MiB: proxies must let it through. */
export const LARGEST_BODY = Math.ceil((MAX_IMPORT_BYTES + IMPORT_FORM_BYTES) / MIB) * MIB;
