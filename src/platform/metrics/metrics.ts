import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Connections, ReplicaState, StatementObserver } from '../db/db.ts';
import type { Clock } from '../lib/clock.ts';
import { VERSION } from '../version.ts';
import { makeRequestMetrics, type RequestMetrics } from './requests.ts';
import { type StoreFigures, watchConnections, watchReplica, watchStore } from './store.ts';

/** The metrics of the process at `/metrics`. */
export type Metrics = RequestMetrics & {
  observeStatement: StatementObserver;
  /** Counts a delivery attempt, by outcome. */
  countDelivery(outcome: string): void;
  /** The time from the commit of an event to the first byte of the first response to it. */
  observeDeliveryLatency(seconds: number): void;
  /** Counts a mail attempt, by outcome. */
  countMail(outcome: 'sent' | 'failed' | 'given_up'): void;
  /** Reads the attempts in flight whenever the metrics are scraped. */
  watchAttempts(countInFlight: () => number): void;
  /** Reads the number of open streams of events whenever the metrics are scraped. */
  watchStreams(count: () => number): void;
  /** Reads the number of open pages with live updates whenever the metrics are scraped. */
  watchPages(count: () => number): void;
  /** Reads the connections to the store, by use, whenever the metrics are scraped. */
  watchConnections(read: () => Record<string, Connections>): void;
  /** Reads the state of the replica whenever the metrics are scraped. */
  watchReplica(read: () => ReplicaState | null): void;
  /** Reads the pending work in the store when the metrics are scraped, but only as often as is cheap. */
  watchStore(clock: Clock, read: () => Promise<StoreFigures>, takesWrites: () => Promise<boolean>): void;
  /** The Prometheus text. */
  print(): Promise<string>;
  contentType: string;
};

/**
 * Creates a separate set of metrics, so that several apps in one process do not mix theirs.
 * @param watchesProcess whether it includes processor, memory, event loop and garbage collection, which cannot be
 * stopped again
 */
export function makeMetrics({ watchesProcess = false } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (watchesProcess) collectDefaultMetrics({ register: registry });
  new Gauge({ name: 'earshot_build_info', help: 'Always 1', labelNames: ['version'], registers }).set(
    { version: VERSION },
    1,
  );
  const statements = new Histogram({
    name: 'earshot_store_statement_seconds',
    help: 'Duration of statements',
    buckets: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2],
    registers,
  });
  const deliveries = new Counter({
    name: 'earshot_webhook_attempts_total',
    help: 'Delivery attempts, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const deliveryLatency = new Histogram({
    name: 'earshot_webhook_latency_seconds',
    help: 'Time from the commit of an event to the first byte of the first response to it',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
    registers,
  });
  const mails = new Counter({
    name: 'earshot_mail_attempts_total',
    help: 'Mail attempts, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  // A rate needs an initial value: without it, the first failure would not show.
  for (const outcome of ['delivered', 'failed', 'gone', 'released']) deliveries.inc({ outcome }, 0);
  for (const outcome of ['sent', 'failed', 'given_up']) mails.inc({ outcome }, 0);
  let readStore = async (): Promise<void> => {};
  let printing: Promise<string> | null = null;
  return {
    ...makeRequestMetrics(registers),
    observeStatement: (_, milliseconds) => statements.observe(milliseconds / 1_000),
    countDelivery: (outcome) => deliveries.inc({ outcome }),
    observeDeliveryLatency: (seconds) => deliveryLatency.observe(seconds),
    countMail: (outcome) => mails.inc({ outcome }),
    watchAttempts: (countInFlight) =>
      watchCount(
        registers,
        'webhook_attempts_in_flight',
        'Delivery attempts in progress in this process',
        countInFlight,
      ),
    watchStreams: (count) => watchCount(registers, 'streams', 'Streams of events that are open in this process', count),
    watchPages: (count) =>
      watchCount(registers, 'live_pages', 'Open pages that get live updates from this process', count),
    watchConnections: (read) => watchConnections(registers, read),
    watchReplica: (read) => watchReplica(registers, read),
    watchStore(clock, ...store) {
      readStore = watchStore(registers, clock, ...store);
    },
    print() {
      // It takes 1.5 ms, and one connection can send 500 requests at once (pipelining): they all get the same text.
      printing ??= readStore()
        .then(() => registry.metrics())
        .finally(() => {
          printing = null;
        });
      return printing;
    },
    contentType: registry.contentType,
  };
}

function watchCount(registers: Registry[], name: string, help: string, count: () => number): void {
  new Gauge({
    name: `earshot_${name}`,
    help,
    registers,
    collect() {
      this.set(count());
    },
  });
}
