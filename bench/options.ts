import { parseArgs } from 'node:util';
import type { Engine } from '../src/platform/db/db.ts';

/** The parts of the benchmark, in the order they run. */
export const parts = [
  'reads',
  'writes',
  'paging',
  'search',
  'export',
  'import',
  'start',
  'memory',
  'pages',
  'pages-throughput',
  'webhooks',
  'notifications',
  'mixed',
] as const;
export type Part = (typeof parts)[number];

/** What is measured of webhooks. */
export const webhookMeasures = ['throughput', 'latency', 'isolation', 'writers'] as const;
export type WebhookMeasure = (typeof webhookMeasures)[number];

/** What to measure and for how long. */
export type Options = {
  /** Measures only the variants that targets name. */
  quick: boolean;
  parts: readonly Part[];
  webhooks: readonly WebhookMeasure[];
  engines: readonly Engine[];
  /** How often each variant is measured; the median counts. */
  rounds: number;
  /** Length of one measurement under load. */
  seconds: number;
  /** Posts of the large stores of `paging`, `search`, `export`, `pages-throughput` and `mixed`. */
  manyPosts: number;
  /** Whether Earshot's processes write CPU profiles into the results. */
  profile: boolean;
};

/** How the command line is used. */
export const usage = `npm run bench -- [options]
  --quick               fewer rounds and variants, smaller stores; for a look, not for a claim
  --only PART[,PART]    ${parts.join(', ')}
  --webhooks MEASURE    ${webhookMeasures.join(', ')}; all by default
  --engine ENGINE       sqlite, postgres or both (default)
  --rounds N            measurements of each variant (default 5)
  --seconds N           length of one measurement (default 2)
  --posts N             posts of the large stores of paging, search, export, pages-throughput and mixed (default 1,000,000)
  --profile             write CPU profiles of Earshot beside the results; the figures suffer`;

/** Reads the command line. @throws when it is wrong, with the usage */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: parts.join(',') },
      webhooks: { type: 'string', default: webhookMeasures.join(',') },
      engine: { type: 'string', default: 'both' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      posts: { type: 'string' },
      profile: { type: 'boolean', default: false },
    },
  });
  const { quick, profile } = values;
  return {
    quick,
    parts: values.only.split(',').map((name) => requireOneOf(parts, name, '--only')),
    webhooks: values.webhooks.split(',').map((name) => requireOneOf(webhookMeasures, name, '--webhooks')),
    engines: values.engine === 'both' ? ['sqlite', 'postgres'] : [requireOneOf(engines, values.engine, '--engine')],
    rounds: requireNumber(values.rounds ?? (quick ? '2' : '5'), '--rounds'),
    seconds: requireNumber(values.seconds ?? (quick ? '1' : '2'), '--seconds'),
    manyPosts: requireNumber(values.posts ?? (quick ? '250000' : '1000000'), '--posts'),
    profile,
  };
}

const engines = ['sqlite', 'postgres'] as const;

function requireOneOf<const T extends string>(allowed: readonly T[], value: string, option: string): T {
  const found = allowed.find((name) => name === value);
  if (found) return found;
  throw new Error(`${option} must be one of ${allowed.join(', ')}; it is ${value}\n${usage}`);
}

function requireNumber(text: string, option: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new Error(`${option} must be a whole number above 0; it is ${text}\n${usage}`);
}
