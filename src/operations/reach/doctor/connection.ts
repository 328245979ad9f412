import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecure, getCACertificates, type TLSSocket } from 'node:tls';
import { quote } from '../../../platform/messages.ts';
import { right, wrong } from '../finding.ts';
import { listenAt } from '../proxy-lines.ts';
import type { Place } from './ask.ts';
import type { DoctorFinding } from './check.ts';
import { MAX_ADDRESSES, reasonOf, STEP_MS, type World, within } from './world.ts';

/** The name or address in a URL, without brackets. */
export function nameIn({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Where a URL leads. @returns the addresses, none if there is nothing to connect to */
export async function checkDns(url: URL, world: World): Promise<[DoctorFinding, string[]]> {
  const name = nameIn(url);
  if (isIP(name)) return [right({ check: 'dns', seen: name }), [name]];
  try {
    const addresses = (await within(world.lookup(name))).slice(0, MAX_ADDRESSES);
    return [right({ check: 'dns', seen: addresses.join(', ') }), addresses];
  } catch (error) {
    const why = quote(`${name} has no address in DNS (${reasonOf(error)}).`);
    return [wrong({ check: 'dns', seen: name }, why, `${name}. A <address of the proxy>`), []];
  }
}

/** Whether the port of a URL accepts connections, at each of its addresses. @returns one that does */
export async function checkPort(url: URL, addresses: readonly string[]): Promise<[DoctorFinding, Place | null]> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const results = await Promise.all(addresses.map((address) => tryPort(address, port)));
  const open = addresses.filter((_, n) => results[n] === null);
  const closed = addresses.flatMap((address, n) => (results[n] ? [`${address}: ${reasonOf(results[n])}`] : []));
  const failed = addresses.filter((_, n) => results[n] && !isOwnLack(results[n]));
  const subject = {
    check: 'port',
    seen: closed.length === 0 ? String(port) : `${port} (${closed.join(', ')})`,
  } as const;
  const place = open[0] === undefined ? null : { url, address: open[0] };
  if (place === null) {
    const why = quote(
      `Nothing accepts connections at port ${port} of ${url.hostname}, as far as this machine can reach it: is the proxy running, and the firewall open?`,
    );
    return [wrong(subject, why, listenAt(url)), null];
  }
  if (failed.length === 0) return [right(subject), place];
  const why = quote('DNS has addresses at which nothing responds: visitors who try them first wait, or do not arrive.');
  return [wrong(subject, why, `${nameIn(url)}. ${failed[0]?.includes(':') ? 'AAAA' : 'A'} ${open[0]}`), place];
}

/** Whether an error says more about this machine, which may have no IPv6, than about the other one. */
function isOwnLack(error: unknown): boolean {
  return ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** @returns the error, or null if the port accepts a connection */
async function tryPort(host: string, port: number): Promise<unknown> {
  const socket = connectPlain({ host, port });
  try {
    await within(new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)));
    return null;
  } catch (error) {
    return error;
  } finally {
    destroy(socket);
  }
}

/** A connection that has begun TLS with a place; its certificate is not checked. @throws if the other end does not */
export async function openTls({ url, address }: Place, authorities: readonly string[]): Promise<TLSSocket> {
  const name = nameIn(url);
  const socket = connectSecure({
    host: address,
    port: Number(url.port) || 443,
    rejectUnauthorized: false,
    timeout: STEP_MS,
    ...(isIP(name) ? {} : { servername: name }),
    ...(authorities.length > 0 && { ca: [...getCACertificates(), ...authorities] }),
  });
  try {
    await within(new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject)));
    return socket;
  } catch (error) {
    destroy(socket);
    throw error;
  }
}

/** What comes later is of no interest. */
export function destroy(socket: Socket): void {
  socket.on('error', () => {}).destroy();
}
