import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { DnsOptions } from '../../../identity/settings/dns.ts';
import { SECOND_MS } from '../../../platform/lib/clock.ts';

/** What an examination finds outside the process; tests have their own. */
export type World = {
  /** The addresses of a host, as programs of this machine find them. @throws as `dns.lookup` */
  lookup(host: string): Promise<string[]>;
  /** How records of DNS are asked for. */
  dns: DnsOptions;
  /** Certificates of authorities to trust besides those of Node, as PEM. */
  authorities: readonly string[];
  /** Where browsers try http. */
  httpPort: number;
  now(): number;
  /** The addresses of this machine. */
  ownAddresses(): string[];
};

export const realWorld: World = {
  lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  dns: {},
  authorities: [],
  httpPort: 80,
  now: Date.now,
  ownAddresses: () => Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []),
};

/** How long a name, a connection, or a handshake may take. */
export const STEP_MS = 5 * SECOND_MS;
/** Addresses of a name that are tried. */
export const MAX_ADDRESSES = 8;

/** The result of a step, or an error when it takes too long: what goes on is ignored. */
export function within<T>(work: Promise<T>, limitMs: number = STEP_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const error = Object.assign(new Error(`no response within ${limitMs / SECOND_MS} s`), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => late.reject(error), limitMs);
  work.catch(() => {});
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** A few words about an error of the system: its code, or else its message. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code && /^E[A-Z_]+$/.test(code) ? (WORDS[code] ?? code) : message;
}

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'no response',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  ENOTFOUND: 'not found in DNS',
  EAI_AGAIN: 'DNS does not respond',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
};
