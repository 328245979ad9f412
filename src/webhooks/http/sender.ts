import type { Config } from '../../platform/config.ts';
import { type Cipher, makeCipher } from '../../platform/lib/cipher.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { VERSION } from '../../platform/version.ts';
import { type AddressRules, makeAddressRules } from './address.ts';
import { makeDialler } from './dial.ts';
import type { Dial } from './exchange.ts';
import { makeResolver, type Resolve } from './resolve.ts';

/** What is needed to send requests to receivers. */
export type Sender = { dial: Dial; rules: AddressRules; resolve: Resolve; cipher: Cipher; version: string };

/** Assembles what sends requests to receivers, according to the settings. */
export function makeSender(
  { webhookAllowCidrs }: Pick<Config, 'webhookAllowCidrs'>,
  key: string,
  clock: Clock,
): Sender {
  const rules = makeAddressRules(webhookAllowCidrs);
  const resolve = makeResolver({ rules, clock });
  const cipher = makeCipher(key);
  return { rules, resolve, cipher, dial: makeDialler({ rules, resolve }), version: VERSION };
}

/** The headers of every request to a receiver. They do not accept compressed responses, which are never unpacked. */
export function senderHeaders(version: string): Record<string, string> {
  return { 'User-Agent': `Earshot/${version}`, Accept: '*/*', 'Accept-Encoding': 'identity' };
}
