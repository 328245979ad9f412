import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Connections, ReplicaState } from '../db/db.ts';
import { type Clock, SECOND_MS } from '../lib/clock.ts';

/** The store's figures about pending work, for all processes together. */
export type StoreFigures = {
  webhooks: readonly { state: string; disabledBy: string | null; count: number }[];
  /** By the state of the webhooks: their pending deliveries, and the age of the oldest event among them. */
  backlog: readonly { state: string; waiting: number; oldestSeconds: number }[];
  /** Queued mails, those that have failed before, and the age of the oldest. */
  mails: { waiting: number; retrying: number; oldestSeconds: number };
  /** The age of the oldest event in the log. */
  eventLogSeconds: number;
};

/** How long the store's figures are cached; longer if they took long to read. */
const KEEP_MS = 15 * SECOND_MS;
const KEEP_PER_MS = 20;
/** How long a scrape waits for the store; then it reports the previous figures. */
const PATIENCE_MS = 2 * SECOND_MS;

/**
 * Adds the figures of the store. The returned function refreshes them when it is time, and never fails: without the
 * store they are missing, and then all others are needed more than ever.
 */
export function watchStore(
  registers: Registry[],
  clock: Clock,
  read: () => Promise<StoreFigures>,
  takesWrites: () => Promise<boolean>,
) {
  const { up, show } = makeGauges(registers);
  let isThere = false;
  show(null);
  let staleAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const start = performance.now();
    const figures = await read().catch(() => null);
    const keepMs = Math.max(KEEP_MS, KEEP_PER_MS * (performance.now() - start));
    staleAt = figures ? clock.now() + keepMs : Number.NEGATIVE_INFINITY;
    isThere = figures !== null;
    show(figures);
    asking = null;
  }

  return async (): Promise<void> => {
    if (clock.now() >= staleAt) {
      asking ??= ask();
      await inTime(asking);
    }
    up.set(isThere && (await inTime(takesWrites())) ? 1 : 0);
  };
}

function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, delay(PATIENCE_MS, undefined, { ref: false })]);
}

function makeGauges(registers: Registry[]): { up: Gauge; show: (figures: StoreFigures | null) => void } {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers });
  const up = gauge(
    'earshot_store_up',
    'Whether the store responded to the latest check and takes writes (1) or not (0)',
  );
  const webhooks = gauge('earshot_webhooks', 'Webhooks, by state and by who disabled them', 'state', 'disabled_by');
  const backlog = gauge('earshot_webhook_backlog', 'Pending deliveries, by the state of their webhook', 'state');
  const backlogAge = gauge(
    'earshot_webhook_backlog_age_seconds',
    'Age of the oldest pending event, by the state of its webhook',
    'state',
  );
  const waiting = gauge('earshot_mail_waiting', 'Queued mails');
  const retrying = gauge('earshot_mail_retrying', 'Queued mails with a failed attempt');
  const mailAge = gauge('earshot_mail_age_seconds', 'Age of the oldest queued mail');
  const eventLogAge = gauge('earshot_event_log_age_seconds', 'Age of the oldest event that is kept');
  const show = (figures: StoreFigures | null) => {
    for (const each of [webhooks, backlog, backlogAge]) each.reset();
    for (const each of [waiting, retrying, mailAge, eventLogAge]) each.remove();
    if (!figures) return;
    for (const { state, disabledBy, count } of figures.webhooks) {
      webhooks.set({ state, disabled_by: disabledBy ?? '' }, count);
    }
    for (const each of figures.backlog) {
      backlog.set({ state: each.state }, each.waiting);
      backlogAge.set({ state: each.state }, each.oldestSeconds);
    }
    waiting.set(figures.mails.waiting);
    retrying.set(figures.mails.retrying);
    mailAge.set(figures.mails.oldestSeconds);
    eventLogAge.set(figures.eventLogSeconds);
  };
  return { up, show };
}

/** Adds the connections of the pools that `read` returns, by use. */
export function watchConnections(registers: Registry[], read: () => Record<string, Connections>): void {
  new Gauge({
    name: 'earshot_store_connections',
    help: 'Connections of this process to the store, by use and state',
    labelNames: ['use', 'state'],
    registers,
    collect() {
      for (const [use, { inUse, idle }] of Object.entries(read())) {
        this.set({ use, state: 'in_use' }, inUse);
        this.set({ use, state: 'idle' }, idle);
      }
    },
  });
  new Gauge({
    name: 'earshot_store_connections_waiting',
    help: 'Operations waiting for a connection, or on SQLite for their turn to write, by use',
    labelNames: ['use'],
    registers,
    collect() {
      for (const [use, { waiting }] of Object.entries(read())) this.set({ use }, waiting);
    },
  });
}

/** Adds the replica as it was at the latest read; without one, all of it is 0. */
export function watchReplica(registers: Registry[], read: () => ReplicaState | null): void {
  new Gauge({
    name: 'earshot_replica_up',
    help: 'Whether reads run on the replica (1) or all of them on the primary (0)',
    registers,
    collect() {
      this.set(read()?.problem === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'earshot_replica_lag_bytes',
    help: 'Bytes of the log that the replica had not applied at the latest check',
    registers,
    collect() {
      this.set(read()?.lagBytes ?? 0);
    },
  });
  new Counter({
    name: 'earshot_replica_reads_total',
    help: 'Reads that may run on the replica, by where they ran',
    labelNames: ['store'],
    registers,
    collect() {
      const { onReplica = 0, onPrimary = 0 } = read() ?? {};
      this.reset();
      this.inc({ store: 'replica' }, onReplica);
      this.inc({ store: 'primary' }, onPrimary);
    },
  });
}
