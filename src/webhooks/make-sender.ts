import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import { makeSeal } from '../lib/seal.ts';
import { VERSION } from '../version.ts';
import { makeAddressRules } from './address.ts';
import { makeDialler } from './dial.ts';
import type { Sender } from './enabling.ts';
import { makeResolver } from './resolve.ts';

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
