import type { Config } from '../config.ts';
import type { Logger } from '../lib/log.ts';
import type { Tracing } from './otlp.ts';

const OFF: Tracing = { observing: (observe) => observe, watch: (db) => db, async stop() {} };

/** Starts tracing if the settings name a collector. Otherwise nothing of it is loaded. */
export async function startTracing(config: Config, log: Logger): Promise<Tracing> {
  if (config.tracing === null) return OFF;
  const { startOtlp } = await import('./otlp.ts');
  return startOtlp(config, config.tracing, log);
}
