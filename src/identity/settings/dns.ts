import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { SECOND_MS } from '../../platform/lib/clock.ts';

/** The DNS servers to query, as `address:port` (default: those of the system), and how long all of a check may take. */
export type DnsOptions = { servers?: readonly string[]; limitMs?: number };

/** Records of a kind that are shown, and how much of each. */
const MAX_SHOWN = 5;
const MAX_CHARACTERS = 255;
/** Checks that run at once; more find nothing, as if DNS did not respond. */
const MAX_RUNNING = 8;

let running = 0;

/** Where a name leads; null if DNS did not respond in time. */
export type DomainCheck = { addresses: string[]; isHere: boolean };

/** Whether a custom domain leads to where the server itself is. */
export async function checkDomain(host: string, own: string, options: DnsOptions = {}): Promise<DomainCheck | null> {
  const found = await ask(options, (resolver) => [
    resolver.resolve4(host),
    resolver.resolve6(host),
    resolver.resolve4(own),
    resolver.resolve6(own),
  ]);
  if (!found) return null;
  const [v4 = [], v6 = [], own4 = [], own6 = []] = found;
  const addresses = [...v4, ...v6];
  return { addresses: shorten(addresses), isHere: addresses.some((address) => [...own4, ...own6].includes(address)) };
}

/** What DNS says of who may send mail for a domain; null if it did not respond in time. */
export type MailCheck = { spf: string[]; dmarc: string[] };

/** Reads the records by which receivers judge the mails of a domain. Those of DKIM have a name that only its signer knows. */
export async function checkMailDomain(domain: string, options: DnsOptions = {}): Promise<MailCheck | null> {
  const found = await ask(options, (resolver) => [
    readTexts(resolver, domain),
    readTexts(resolver, `_dmarc.${domain}`),
  ]);
  if (!found) return null;
  const [ofDomain = [], ofDmarc = []] = found;
  return {
    spf: shorten(ofDomain.filter((text) => /^v=spf1\b/i.test(text))),
    dmarc: shorten(ofDmarc.filter((text) => /^v=DMARC1\b/i.test(text))),
  };
}

/** The domain of a sender, an address with or without a name; null for a name of the machine only. */
export function senderDomain(from: string): string | null {
  return /@([^\s@>]+\.[^\s@>]+)>?$/.exec(from)?.[1]?.toLowerCase() ?? null;
}

/** Relays that send from other hosts than the one that takes mail, and the domain where each publishes them. */
const RELAYS: readonly [server: RegExp, spf: string][] = [
  [/\.(gmail|google)\.com$/, '_spf.google.com'],
  [/\.(office365|outlook)\.com$/, 'spf.protection.outlook.com'],
  [/\.amazonaws\.com$/, 'amazonses.com'],
  [/\.sendgrid\.net$/, 'sendgrid.net'],
  [/\.mailgun\.org$/, 'mailgun.org'],
  [/\.mailjet\.com$/, 'spf.mailjet.com'],
  [/\.postmarkapp\.com$/, 'spf.mtasv.net'],
  [/\.(brevo|sendinblue)\.com$/, 'spf.brevo.com'],
  [/\.fastmail\.com$/, 'spf.messagingengine.com'],
  [/\.mandrillapp\.com$/, 'spf.mandrillapp.com'],
];

/**
 * The mail server as a line of SPF names it; null if the address that others see it at is not known here, since it is in
 * a private network.
 */
export function nameInSpf(server: string): string | null {
  const relay = RELAYS.find(([pattern]) => pattern.test(server));
  if (relay) return `include:${relay[1]}`;
  const version = isIP(server);
  if (version === 0) return server.includes('.') && !/\.(local|internal|lan)$/.test(server) ? `a:${server}` : null;
  return ipaddr.parse(server).range() === 'unicast' ? `ip${version}:${server}` : null;
}

async function readTexts(resolver: Resolver, name: string): Promise<string[]> {
  return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
}

/** Asks everything at once, none of it longer than the limit. A name without records has none; null if one came late. */
async function ask(
  { servers, limitMs = 3 * SECOND_MS }: DnsOptions,
  questions: (resolver: Resolver) => Promise<string[]>[],
): Promise<string[][] | null> {
  if (running >= MAX_RUNNING) return null;
  const timeout = Math.ceil(limitMs / 3);
  const resolver = new Resolver({ timeout, tries: 3, maxTimeout: timeout });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), limitMs);
  running++;
  try {
    const answers = await Promise.allSettled(questions(resolver));
    if (answers.some(isLate)) return null;
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    running--;
    clearTimeout(timer);
  }
}

function isLate(answer: PromiseSettledResult<unknown>): boolean {
  return answer.status === 'rejected' && ['ETIMEOUT', 'ECANCELLED', 'ECONNREFUSED'].includes(answer.reason.code);
}

function shorten(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_SHOWN).map((text) => text.slice(0, MAX_CHARACTERS));
}
