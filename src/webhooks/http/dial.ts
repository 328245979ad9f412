import { SECOND_MS } from '../../platform/lib/clock.ts';
import type { AddressRules } from './address.ts';
import { type Agents, makeAgents } from './agents.ts';
import { MAX_URL_LENGTH, parseEndpoint } from './endpoint.ts';
import type { Dial, Fault, OutgoingRequest, Timings } from './exchange.ts';
import type { Phase } from './network-faults.ts';
import type { Resolve } from './resolve.ts';
import { MAX_BODY_BYTES, type Outcome, send } from './send.ts';

type DiallerOptions = {
  rules: AddressRules;
  resolve: Resolve;
  /** From before DNS to the end of the answer's headers, and the end of reading the body. */
  deadlineMs?: number;
  /** Bytes of a response body that are read. */
  maxBodyBytes?: number;
  /** Authorities to trust, as PEM, instead of the system's. */
  ca?: string;
};

/** A verification adds its challenge and token to the owner's URL. */
const MAX_DIALLED_URL_LENGTH = 2 * MAX_URL_LENGTH;

/**
 * Creates a dialer that connects only to addresses that the rules allow, checked for every request. Every refused
 * destination, for whatever reason, has the same fault, and no connection is made to it. A response whose headers have
 * arrived counts, even if its body breaks off, drips, is endless or is stopped: the receiver has acted.
 */
export function makeDialler(options: DiallerOptions): Dial {
  const { rules, resolve, deadlineMs = 5 * SECOND_MS, maxBodyBytes = MAX_BODY_BYTES, ca } = options;
  const agents = makeAgents(ca);
  return async (request, signal) => {
    const watch = startWatch();
    const limit = startLimit(deadlineMs, signal);
    try {
      const outcome = await exchange(request, { rules, resolve, agents, maxBodyBytes, watch, limit });
      return { ...outcome, timings: watch.stop() };
    } finally {
      limit.clear();
    }
  };
}

type Conditions = {
  rules: AddressRules;
  resolve: Resolve;
  agents: Agents;
  maxBodyBytes: number;
  watch: Watch;
  limit: Limit;
};

async function exchange(request: OutgoingRequest, conditions: Conditions): Promise<Exclude<Outcome, 'stale'>> {
  const { rules, resolve, agents, maxBodyBytes, watch, limit } = conditions;
  const { endpoint } = parseEndpoint(request.url, rules, MAX_DIALLED_URL_LENGTH);
  // The form of a URL was checked when it was saved; what is refused now was allowed then.
  if (!endpoint) return { fault: { kind: 'address not allowed' } };
  const resolution = await Promise.race([limit.reached, resolve(endpoint)]);
  if (typeof resolution === 'string') return { fault: faultOfLimit(resolution, watch.phase()) };
  if (resolution.fault) return { fault: resolution.fault };

  const attempt = (kind: keyof Agents): Promise<Outcome> => {
    const agent = agents[kind][endpoint.isHttps ? 'https' : 'http'];
    const { addresses } = resolution;
    const sending = send({ request, endpoint, addresses, agent, maxBodyBytes, onPhase: watch.enter });
    limit.reached.then((reached) => sending.end(faultOfLimit(reached, watch.phase())));
    return sending.outcome;
  };
  const outcome = await attempt(request.isOnce ? 'fresh' : 'kept');
  const resent = outcome === 'stale' ? await attempt('fresh') : outcome;
  return resent === 'stale' ? { fault: { kind: 'connection closed' } } : resent;
}

function faultOfLimit(reached: 'late' | 'stopped', phase: Phase): Fault {
  return reached === 'stopped' ? { kind: 'stopped' } : { kind: 'timed out', phase };
}

type Limit = { reached: Promise<'late' | 'stopped'>; clear(): void };

function startLimit(deadlineMs: number, signal: AbortSignal | undefined): Limit {
  const { promise: reached, resolve } = Promise.withResolvers<'late' | 'stopped'>();
  const timer = setTimeout(() => resolve('late'), deadlineMs);
  const stop = () => resolve('stopped');
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  return {
    reached,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    },
  };
}

type Watch = { phase(): Phase; enter(next: Phase | 'answered'): void; stop(): Timings };

/** Tracks the phases of an exchange. A reused connection is connected immediately, and has no time for TLS. */
function startWatch(): Watch {
  const startedAt = performance.now();
  const timings: Timings = { dns: null, connect: null, tls: null, firstByte: null, total: 0 };
  const slots = { dns: 'dns', connect: 'connect', tls: 'tls', answer: 'firstByte' } as const;
  let phase: Phase = 'dns';
  const elapsed = () => Math.round((performance.now() - startedAt) * 100) / 100;
  return {
    phase: () => phase,
    enter(next) {
      timings[slots[phase]] = elapsed();
      if (next !== 'answered') phase = next;
    },
    stop: () => ({ ...timings, total: elapsed() }),
  };
}
