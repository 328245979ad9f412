import { Resolver } from 'node:dns/promises';
import type { Message } from './message.ts';

/** Looks up records of the DNS, as `dns.promises.resolve` does. */
export type Resolve = (domain: string, type: string) => Promise<string[] | string[][]>;

/** What the server that hands over a mail says about it; what is not known is null. */
export type Envelope = { sender: string | null; ip: string | null; helo: string | null };

/**
 * Whether the domain in `From` vouches for a mail: PROVEN by DKIM or SPF of that domain or organization, REFUSED by its
 * DMARC policy, or neither.
 */
export type Proof =
  /** By the server that handed it over, and by a signature of these headers, in lower case, if there is one. */
  { state: 'PROVEN'; isBySpf: boolean; signed: ReadonlySet<string> } | { state: 'UNPROVEN' | 'REFUSED' };

/** Lookups for one mail: SPF alone may take 10, and the keys of its signatures and DMARC a few. */
const MAX_LOOKUPS = 40;
const LOOKUP_MS = 3_000;
/** For all of them together. */
const LIMIT_MS = 12_000;

/** Headers whose signature counts: those that are used. */
const SIGNED = ['from', 'subject'];
/** By these, the same mail is known when it comes again. */
const IF_THERE = ['date', 'message-id'];

/** Checks who sent a mail. What cannot be looked up in time proves nothing. */
export async function authenticate(
  message: Pick<Message, 'raw' | 'from' | 'header'>,
  envelope: Envelope,
  resolve: Resolve = makeResolve(),
): Promise<Proof> {
  const limit = Promise.withResolvers<Proof>();
  const timer = setTimeout(() => limit.resolve({ state: 'UNPROVEN' }), LIMIT_MS);
  const checked = check(message, envelope, bound(resolve)).catch((): Proof => ({ state: 'UNPROVEN' }));
  return Promise.race([checked, limit.promise]).finally(() => clearTimeout(timer));
}

async function check(
  { raw, from, header }: Pick<Message, 'raw' | 'from' | 'header'>,
  { sender, ip, helo }: Envelope,
  resolver: Resolve,
): Promise<Proof> {
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const { evaluateDmarc } = await import('mailauth/lib/dmarc/index.js');
  const { spf } = await import('mailauth/lib/spf/index.js');
  const dkim = await dkimVerify(raw, { resolver, sender: sender ?? '', rejectRsaSha1: true });
  // Several senders, or none, or another one than the mail was read to have.
  const [author] = dkim.headerFrom;
  if (dkim.fromFields !== 1 || dkim.headerFrom.length !== 1 || author?.toLowerCase() !== from.address) {
    return { state: 'REFUSED' };
  }
  const needed = [...SIGNED, ...IF_THERE.filter((name) => header(name) !== null)];
  const signatures = dkim.results
    .filter(({ status }) => status.result === 'pass' && !status.underSized && !status.testing)
    .map(({ status, signingDomain = '', signingHeaders }) => {
      const signed = new Set((signingHeaders?.keys ?? '').toLowerCase().split(/[:\s]+/));
      return { domain: signingDomain, aligned: status.aligned ?? false, signed };
    })
    .filter(({ signed }) => needed.every((name) => signed.has(name)));
  const checked = sender && ip ? await spf({ sender, ip, helo: helo ?? '', mta: 'earshot', resolver }) : null;
  const spfDomain = checked && checked.status.result === 'pass' ? domainOf(sender ?? '') : null;
  const { response, dkimAligned } = await evaluateDmarc({
    headerFrom: dkim.headerFrom,
    fromFields: dkim.fromFields,
    spfDomains: spfDomain === null ? [] : [spfDomain],
    dkimDomains: signatures.map(({ domain, aligned }) => ({ domain, aligned })),
    resolver,
  });
  const result = response ? response.status.result : 'none';
  if (result === 'fail') return { state: response && response.policy === 'reject' ? 'REFUSED' : 'UNPROVEN' };
  if (result !== 'pass' && result !== 'none') return { state: 'UNPROVEN' };
  // Without a DMARC record, the alignment of DKIM is relaxed, by the list of public suffixes, and that of SPF exact.
  const hasPolicy = response && result === 'pass';
  const isBySpf = hasPolicy ? Boolean(response.alignment?.spf.result) : spfDomain === domainOf(from.address);
  const aligned = signatures.find((one) => (hasPolicy ? dkimAligned?.has(one.domain.toLowerCase()) : one.aligned));
  if (!isBySpf && !aligned) return { state: 'UNPROVEN' };
  return { state: 'PROVEN', isBySpf, signed: aligned?.signed ?? new Set() };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** A resolver that asks each server once. */
function makeResolve(): Resolve {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 1 });
  return (domain, type) => resolver.resolve(domain, type) as Promise<string[] | string[][]>;
}

/** A mail can name as many domains as fit into it. */
function bound(resolve: Resolve): Resolve {
  let count = 0;
  return (domain, type) => {
    count++;
    if (count <= MAX_LOOKUPS) return resolve(domain, type);
    return Promise.reject(Object.assign(new Error('Too many lookups'), { code: 'ETIMEOUT' }));
  };
}
