import { Agent, type RequestOptions } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { SECOND_MS } from '../../platform/lib/clock.ts';

/** What a request passes to its agent besides Node's options: the vetted addresses, as one text. */
export type VettedOptions = RequestOptions & { vetted: string };

/** Agents for both schemes: those that reuse connections, and those that always open a new one. */
export type Agents = Record<'kept' | 'fresh', { http: Agent; https: SecureAgent }>;

/** Less than the 5 s after which many servers close: a connection should end on our side first. */
const IDLE_MS = 4 * SECOND_MS;
/** As many attempts as one webhook may have in flight. */
const MAX_IDLE_PER_HOST = 8;
const MAX_IDLE = 256;

/**
 * Creates agents that ignore proxy settings of the environment, since a proxy would do the DNS lookups itself, and
 * settings that turn off certificate checks. With `ca`, only its authorities are trusted instead of the system's.
 */
export function makeAgents(ca: string | undefined): Agents {
  const common = { proxyEnv: {}, autoSelectFamily: true };
  const tls = { ...common, rejectUnauthorized: true, minVersion: 'TLSv1.2' as const, ...(ca !== undefined && { ca }) };
  const kept = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MAX_IDLE_PER_HOST };
  const fresh = { keepAlive: false };
  return {
    kept: {
      http: keepByAddress(new Agent({ ...common, ...kept })),
      https: keepByAddress(new SecureAgent({ ...tls, ...kept })),
    },
    fresh: { http: new Agent({ ...common, ...fresh }), https: new SecureAgent({ ...tls, ...fresh }) },
  };
}

/**
 * Reuses a connection only for the same host and the same vetted addresses, so that an address removed from a host's
 * DNS is not contacted again; and limits the idle connections of all hosts together.
 */
function keepByAddress<A extends Agent>(agent: A): A {
  const idle = new Set<object>();
  const known = new WeakSet<object>();
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  agent.getName = (options) => {
    const { host, port, vetted } = options as VettedOptions;
    return `${host}:${port}:${vetted}`;
  };
  agent.keepSocketAlive = (socket) => {
    if (idle.size >= MAX_IDLE) return false;
    idle.add(socket);
    if (!known.has(socket)) socket.once('close', () => idle.delete(socket));
    known.add(socket);
    return keep(socket);
  };
  agent.reuseSocket = (socket, request) => {
    idle.delete(socket);
    reuse(socket, request);
  };
  return agent;
}
