import { lookup, Resolver } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type Clock, SECOND_MS, systemClock } from '../../platform/lib/clock.ts';
import type { AddressRules } from './address.ts';
import type { Endpoint } from './endpoint.ts';
import type { Fault } from './exchange.ts';

/** The addresses of a host, all of them allowed; or why there are none. */
export type Resolution = { addresses: readonly string[]; fault?: never } | { addresses?: never; fault: Fault };

/** Finds the addresses of an endpoint's host and checks them; it does not throw for external faults. */
export type Resolve = (host: Pick<Endpoint, 'host' | 'isAddress' | 'isLocal'>) => Promise<Resolution>;

export type ResolverOptions = {
  rules: AddressRules;
  /** The DNS servers to query, as `address:port`; default: those of the system. */
  servers?: readonly string[];
  clock?: Clock;
  /** The longest that one name may take, in milliseconds. */
  lookupMs?: number;
  /** How many names are resolved at once. */
  maxLookups?: number;
};

/** The result of a lookup before checking: addresses, and how many seconds they are valid. */
type Found = { addresses: string[]; ttl: number } | { error: 'unknown' | 'late' };

const MAX_TTL_S = 60;
/** The system's resolver does not report how long its results are valid. */
const SYSTEM_TTL_S = 5;
/** It uses the threads of libuv, four for the whole process: slow names must leave some to everything else. */
const MAX_SYSTEM_LOOKUPS = 2;
const MAX_CACHED_NAMES = 1_000;
/** All addresses of a response are checked; of each family only this many are tried. */
const MAX_DIALLED = 4;

/**
 * Creates a resolver that queries DNS itself, without search domains or a hosts file, and rejects a response as a whole
 * if one of its addresses is not allowed. Concurrent lookups of one name share one lookup, so a name whose server never
 * responds takes only one of many slots. Local names are left to the system's resolver.
 */
export function makeResolver(options: ResolverOptions): Resolve {
  const { rules, servers, clock = systemClock, lookupMs = 3 * SECOND_MS, maxLookups = 256 } = options;
  const cache = new LRUCache<string, { resolution: Resolution; until: number }>({ max: MAX_CACHED_NAMES });
  const pending = new Map<string, Promise<Resolution>>();
  const dnsGate = makeGate(maxLookups);
  const systemGate = makeGate(MAX_SYSTEM_LOOKUPS);

  async function find(host: string, isLocal: boolean): Promise<Resolution> {
    const endsAt = performance.now() + lookupMs;
    const found = isLocal
      ? await within(
          endsAt,
          systemGate(() => askSystem(host)),
        )
      : await dnsGate(() => askDns(host, servers, endsAt));
    if ('error' in found) return { fault: faultOf(found.error, host) };
    const resolution = checkAddresses(host, found.addresses, rules);
    const until = clock.now() + Math.min(found.ttl, MAX_TTL_S) * SECOND_MS;
    if (found.addresses.length > 0) cache.set(host, { resolution, until });
    return resolution;
  }

  return async ({ host, isAddress, isLocal }) => {
    if (isAddress) return checkAddresses(host, [host], rules);
    const cached = cache.get(host);
    if (cached && clock.now() < cached.until) return cached.resolution;
    const joined = pending.get(host);
    if (joined) return joined;
    const lookedUp = find(host, isLocal).finally(() => pending.delete(host));
    pending.set(host, lookedUp);
    return lookedUp;
  };
}

function checkAddresses(host: string, addresses: readonly string[], rules: AddressRules): Resolution {
  if (addresses.length === 0) return { fault: faultOf('unknown', host) };
  if (!addresses.every(rules.allows)) return { fault: { kind: 'address not allowed' } };
  const v4 = addresses.filter((address) => isIPv4(address));
  const v6 = addresses.filter((address) => !isIPv4(address));
  return { addresses: [...v4.slice(0, MAX_DIALLED), ...v6.slice(0, MAX_DIALLED)] };
}

function faultOf(error: 'unknown' | 'late', host: string): Fault {
  return error === 'late' ? { kind: 'timed out', phase: 'dns' } : { kind: 'could not resolve host', host };
}

/** Queries A and AAAA at once. A family that fails does not affect the other: only checked addresses are dialed. */
async function askDns(host: string, servers: readonly string[] | undefined, endsAt: number): Promise<Found> {
  const remaining = endsAt - performance.now();
  if (remaining <= 0) return { error: 'late' };
  // One resolver each, 0.03 ms: only all lookups of a resolver together can be canceled.
  const timeout = Math.ceil(remaining / 3);
  const resolver = new Resolver({ timeout, tries: 3, maxTimeout: timeout });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), remaining);
  const families = await Promise.allSettled([
    resolver.resolve4(host, { ttl: true }),
    resolver.resolve6(host, { ttl: true }),
  ]);
  clearTimeout(timer);
  const records = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  if (records.length === 0 && families.some(isLate)) return { error: 'late' };
  return { addresses: records.map(({ address }) => address), ttl: Math.min(...records.map(({ ttl }) => ttl)) };
}

function isLate(family: PromiseSettledResult<unknown>): boolean {
  return family.status === 'rejected' && ['ETIMEOUT', 'ECANCELLED'].includes(family.reason.code);
}

async function askSystem(host: string): Promise<Found> {
  try {
    const records = await lookup(host, { all: true });
    return { addresses: records.map(({ address }) => address), ttl: SYSTEM_TTL_S };
  } catch {
    return { error: 'unknown' };
  }
}

/** The result, if it is in time; a lookup by the system cannot be canceled, and keeps its slot until it ends. */
async function within(endsAt: number, found: Promise<Found>): Promise<Found> {
  const late = Promise.withResolvers<Found>();
  const timer = setTimeout(() => late.resolve({ error: 'late' }), endsAt - performance.now());
  try {
    return await Promise.race([found, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets this many tasks run at once; the others wait in the order of arrival. */
function makeGate(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
