import type { Config } from '../../platform/config.ts';
import { makeCipher } from '../../platform/lib/cipher.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { VERSION } from '../../platform/version.ts';
import { makeAddressRules } from '../http/address.ts';
import { makeDialler } from '../http/dial.ts';
import { makeResolver } from '../http/resolve.ts';
import type { Sender } from './enabling.ts';

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
