import { lookup, Resolver } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type Clock, SECOND_MS, systemClock } from '../../platform/lib/clock.ts';
import type { AddressRules } from './address.ts';
import type { Endpoint } from './endpoint.ts';
import type { Fault } from './exchange.ts';

/** The addresses of a host, all of them allowed; or why there are none. */
export type Resolution = { addresses: readonly string[]; fault?: never } | { addresses?: never; fault: Fault };

/** Finds the addresses of an endpoint's host and judges them; it does not throw for the world's faults. */
export type Resolve = (host: Pick<Endpoint, 'host' | 'isAddress' | 'isLocal'>) => Promise<Resolution>;

/** What a resolver is made of. */
export type ResolverOptions = {
  rules: AddressRules;
  /** The DNS servers to ask, as `address:port`; left out, those of the system. */
  servers?: readonly string[];
  clock?: Clock;
  /** The longest that one name may take, in milliseconds. */
  lookupMs?: number;
  /** How many names are asked for at once. */
  maxLookups?: number;
};

/** What was found before judging: addresses, and for how many seconds they hold. */
type Found = { addresses: string[]; ttl: number } | { error: 'unknown' | 'late' };

const MAX_TTL_S = 60;
/** The system's resolver does not tell how long its answers hold. */
const SYSTEM_TTL_S = 5;
/** It uses the threads of libuv, four for the whole process: slow names must leave some to everything else. */
const MAX_SYSTEM_LOOKUPS = 2;
const MAX_CACHED_NAMES = 1_000;
/** All addresses of an answer are judged; of each family no more are tried. */
const MAX_DIALLED = 4;

/**
 * Makes a resolver that asks DNS itself, without search domains or a hosts file, and rejects an answer as a whole when
 * one of its addresses is not allowed. Lookups of one name at a time are one lookup, so a name whose server never
 * answers takes one place of many. Names of the local network are left to the system's resolver.
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

/** Asks for A and AAAA at once. A family that fails does not spoil the other: only what was judged is dialled. */
async function askDns(host: string, servers: readonly string[] | undefined, endsAt: number): Promise<Found> {
  const remaining = endsAt - performance.now();
  if (remaining <= 0) return { error: 'late' };
  // One resolver each, 0.03 ms: only all lookups of a resolver together can be cancelled.
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

/** What is found in time; a lookup by the system cannot be cancelled, and keeps its place until it ends. */
async function within(endsAt: number, found: Promise<Found>): Promise<Found> {
  const late = Promise.withResolvers<Found>();
  const timer = setTimeout(() => late.resolve({ error: 'late' }), endsAt - performance.now());
  try {
    return await Promise.race([found, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets so many tasks run at once; the others wait in the order they came. */
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
