import type { Config } from '../../platform/config.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { makeSeal } from '../../platform/lib/seal.ts';
import { VERSION } from '../../platform/version.ts';
import { makeAddressRules } from '../http/address.ts';
import { makeDialler } from '../http/dial.ts';
import { makeResolver } from '../http/resolve.ts';
import type { Sender } from './enabling.ts';

/** Puts together what talks with receivers, as the settings say. */
export function makeSender(
  { webhookAllowCidrs }: Pick<Config, 'webhookAllowCidrs'>,
  key: string,
  clock: Clock,
): Sender {
  const rules = makeAddressRules(webhookAllowCidrs);
  const resolve = makeResolver({ rules, clock });
  const seal = makeSeal(key);
  return { rules, resolve, seal, dial: makeDialler({ rules, resolve }), version: VERSION };
}
