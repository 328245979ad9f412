import { Resolver } from 'node:dns/promises';

/** Looks up records of the DNS, as `dns.promises.resolve` does. */
export type Resolve = (domain: string, type: string) => Promise<string[] | string[][]>;

/** What the server that hands over a mail says about it; what is not known is null. */
export type Envelope = { sender: string | null; ip: string | null; helo: string | null };

/**
 * Whether the domain in `From` vouches for a mail: PROVEN by DKIM or SPF of that domain or organization, REFUSED by its
 * DMARC policy, or neither.
 */
export type Proof =
  | { state: 'PROVEN'; by: 'SPF' }
  /** With the headers that are signed, in lower case. */
  | { state: 'PROVEN'; by: 'DKIM'; signed: ReadonlySet<string> }
  | { state: 'UNPROVEN' | 'REFUSED' };

/** Lookups for one mail: SPF alone may take 10, and the keys of its signatures and DMARC a few. */
const MAX_LOOKUPS = 40;
const LOOKUP_MS = 3_000;
/** For all of them together. */
const LIMIT_MS = 12_000;

/** Headers whose signature counts: those that are used. */
const SIGNED = ['from', 'subject'];

/** Checks who sent a mail. What cannot be looked up in time proves nothing. */
export async function authenticate(raw: Buffer, envelope: Envelope, resolve: Resolve = makeResolve()): Promise<Proof> {
  const limit = Promise.withResolvers<Proof>();
  const timer = setTimeout(() => limit.resolve({ state: 'UNPROVEN' }), LIMIT_MS);
  const checked = check(raw, envelope, bound(resolve)).catch((): Proof => ({ state: 'UNPROVEN' }));
  return Promise.race([checked, limit.promise]).finally(() => clearTimeout(timer));
}

async function check(raw: Buffer, { sender, ip, helo }: Envelope, resolver: Resolve): Promise<Proof> {
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const { evaluateDmarc } = await import('mailauth/lib/dmarc/index.js');
  const { spf } = await import('mailauth/lib/spf/index.js');
  const dkim = await dkimVerify(raw, { resolver, sender: sender ?? '', rejectRsaSha1: true });
  // Several senders, or none.
  if (dkim.fromFields !== 1 || dkim.headerFrom.length !== 1) return { state: 'REFUSED' };
  const signatures = dkim.results
    .filter(({ status }) => status.result === 'pass' && !status.underSized && !status.testing)
    .map(({ status, signingDomain = '', signingHeaders }) => {
      const signed = new Set((signingHeaders?.keys ?? '').toLowerCase().split(/[:\s]+/));
      return { domain: signingDomain, aligned: status.aligned ?? false, signed };
    })
    .filter(({ signed }) => SIGNED.every((name) => signed.has(name)));
  const checked = sender && ip ? await spf({ sender, ip, helo: helo ?? '', mta: 'earshot', resolver }) : null;
  const spfDomain = checked && checked.status.result === 'pass' ? domainOf(sender ?? '') : null;
  const author = domainOf(dkim.headerFrom[0] ?? '');
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
  if (hasPolicy ? response.alignment?.spf.result : spfDomain === author) return { state: 'PROVEN', by: 'SPF' };
  const aligned = signatures.find((one) => (hasPolicy ? dkimAligned?.has(one.domain.toLowerCase()) : one.aligned));
  return aligned ? { state: 'PROVEN', by: 'DKIM', signed: aligned.signed } : { state: 'UNPROVEN' };
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
