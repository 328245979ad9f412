import type { Options, WebhookMeasure } from './options.ts';
import { startReceiver } from './receiver.ts';
import type { PartResult } from './report.ts';
import type { Stores } from './stores.ts';
import { measureIsolation } from './webhook-isolation.ts';
import { measureLatency } from './webhook-latency.ts';
import { measureThroughput } from './webhook-throughput.ts';
import { measureWriters } from './webhook-writers.ts';

const measures: Record<WebhookMeasure, typeof measureThroughput> = {
  throughput: measureThroughput,
  latency: measureLatency,
  isolation: measureIsolation,
  writers: measureWriters,
};

/** How fast webhooks are delivered, how soon, and what one receiver that hangs does to the others. */
export async function measureWebhooks(options: Options, stores: Stores): Promise<PartResult> {
  const receiver = await startReceiver();
  const results: PartResult[] = [];
  for (const name of options.webhooks) results.push(await measures[name](options, stores, receiver));
  return {
    tables: results.flatMap(({ tables }) => tables),
    targets: results.flatMap(({ targets }) => targets),
    samples: results.map(({ samples }) => samples),
  };
}
