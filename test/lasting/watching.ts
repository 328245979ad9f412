import { readFileSync } from 'node:fs';
import type { Server } from '../crash/server.ts';
import type { Figures } from './traffic.ts';

const MB = 1_048_576;

/** What a server holds: memory in MB, as far as the system tells, and what it has open. */
export type Held = {
  resident: number;
  anonymous: number;
  ofFiles: number;
  heap: number;
  old: number;
  young: number;
  descriptors: number;
  resources: number;
  timers: number;
  streams: number;
  /** By how much timers were late since it was asked last, in milliseconds: the most, but for one in a hundred. */
  late: number;
};

/** What a server says of itself, and the system of its process. */
export async function look({ url, child }: Server): Promise<Held> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const metric = (series: string) => Number(metrics.split(`\n${series} `)[1]?.split('\n')[0]);
  const status = readStatus(child.pid ?? 0);
  const system = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1_024;
  return {
    resident: metric('process_resident_memory_bytes') / MB,
    anonymous: system('RssAnon'),
    ofFiles: system('RssFile') + system('RssShmem'),
    heap: metric('nodejs_heap_size_used_bytes') / MB,
    old: metric('nodejs_heap_space_size_used_bytes{space="old"}') / MB,
    young: metric('nodejs_heap_space_size_used_bytes{space="new"}') / MB,
    descriptors: metric('process_open_fds'),
    resources: metric('nodejs_active_resources_total'),
    timers: metric('nodejs_active_resources{type="Timeout"}') || 0,
    streams: metric('earshot_streams'),
    late: metric('nodejs_eventloop_lag_p99_seconds') * 1_000,
  };
}

/** Empty where the system has no such file. */
function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** Lines for people about what a server holds, and how long it took to respond. */
export function describe(when: string, held: Held, figures: readonly Figures[]): string {
  const values = Object.entries(held).map(([name, value]) => `${name} ${Math.round(value)}`);
  const times = figures.map(({ name, count, p50, p99 }) => `${name} ${count}: ${p50.toFixed(1)}/${p99.toFixed(1)} ms`);
  return `${when}: ${values.join(', ')}\n  ${times.join('; ')}`;
}
