import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { StatementObserver } from './db/db.ts';

/** What the process tells about itself at `/metrics`. */
export type Metrics = {
  /** Counts a request and the time it took; `operation` is a root field, never a text from the client. */
  countRequest(operation: string, code: string, seconds: number): void;
  observeStatement: StatementObserver;
  /** Counts an attempt to deliver, by what came of it. */
  countDelivery(outcome: string): void;
  /** The time from the commit of an event to the first byte of the first answer to it. */
  observeDeliveryLatency(seconds: number): void;
  /** Asks for the deliveries that wait, and for the attempts in flight, whenever the metrics are read. */
  watchDeliveries(read: DeliveryFigures): void;
  /** The Prometheus text. */
  print(): Promise<string>;
  contentType: string;
  stop(): void;
};

/** What a worker tells of its deliveries: the backlog by the state of its webhooks, with the age of its oldest event. */
export type DeliveryFigures = {
  countInFlight(): number;
  readBacklog(): Promise<readonly { state: string; waiting: number; oldestSeconds: number }[]>;
};

/** Makes a set of metrics of its own, so that several apps in one process do not mix theirs. */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'earshot_graphql_requests_total',
    help: 'Requests by root field and error code (OK without error)',
    labelNames: ['operation', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'earshot_graphql_request_seconds',
    help: 'Time from the parsed HTTP request to the answer',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const refusals = new Counter({
    name: 'earshot_rate_limit_refusals_total',
    help: 'Requests refused because a rate limit of their key was used up',
    registers,
  });
  const statements = new Histogram({
    name: 'earshot_store_statement_seconds',
    help: 'Time of statements to the store',
    buckets: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2],
    registers,
  });
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  new Gauge({
    name: 'earshot_event_loop_lag_seconds',
    help: 'How late timers ran since the last look: median, 99th percentile and the most',
    labelNames: ['quantile'],
    registers,
    collect() {
      this.set({ quantile: '0.5' }, lag.percentile(50) / 1e9);
      this.set({ quantile: '0.99' }, lag.percentile(99) / 1e9);
      this.set({ quantile: '1' }, lag.max / 1e9);
      lag.reset();
    },
  });
  new Gauge({
    name: 'earshot_resident_memory_bytes',
    help: 'Resident memory of the process',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  const deliveries = new Counter({
    name: 'earshot_webhook_attempts_total',
    help: 'Attempts to deliver an event, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const deliveryLatency = new Histogram({
    name: 'earshot_webhook_latency_seconds',
    help: 'Time from the commit of an event to the first byte of the first answer to it',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
    registers,
  });
  const counters = new Map<string, Counter.Internal>();
  let readDeliveries = async (): Promise<void> => {};
  return {
    countRequest(operation, code, seconds) {
      const name = `${operation} ${code}`;
      let counter = counters.get(name);
      if (!counter) {
        counter = requests.labels(operation, code);
        counters.set(name, counter);
      }
      counter.inc();
      durations.observe(seconds);
      if (code === 'RATE_LIMIT_EXCEEDED') refusals.inc();
    },
    observeStatement: (_, milliseconds) => statements.observe(milliseconds / 1_000),
    countDelivery: (outcome) => deliveries.inc({ outcome }),
    observeDeliveryLatency: (seconds) => deliveryLatency.observe(seconds),
    watchDeliveries(figures) {
      readDeliveries = watchDeliveries(registers, figures);
    },
    async print() {
      await readDeliveries();
      return registry.metrics();
    },
    contentType: registry.contentType,
    stop: () => lag.disable(),
  };
}

/** Adds the figures of a worker; the returned function reads them anew. */
function watchDeliveries(registers: Registry[], figures: DeliveryFigures): () => Promise<void> {
  const inFlight = new Gauge({
    name: 'earshot_webhook_attempts_in_flight',
    help: 'Attempts to deliver that are under way in this process',
    registers,
  });
  const backlog = new Gauge({
    name: 'earshot_webhook_backlog',
    help: 'Deliveries that wait, by the state of their webhook',
    labelNames: ['state'],
    registers,
  });
  const age = new Gauge({
    name: 'earshot_webhook_backlog_age_seconds',
    help: 'Age of the oldest event that waits, by the state of its webhook',
    labelNames: ['state'],
    registers,
  });
  return async () => {
    inFlight.set(figures.countInFlight());
    // Without the store these two are missing; all others are needed then more than ever.
    const rows = await figures.readBacklog().catch(() => []);
    backlog.reset();
    age.reset();
    for (const { state, waiting, oldestSeconds } of rows) {
      backlog.set({ state }, waiting);
      age.set({ state }, oldestSeconds);
    }
  };
}
