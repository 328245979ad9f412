import { channel, tracingChannel } from 'node:diagnostics_channel';

/**
 * Facts about a span, named as in the semantic conventions of OpenTelemetry, or with `earshot.` in front: ids, fixed words
 * and numbers. Traces leave the machine, so no keys, no addresses, and nothing that a user has written.
 */
export type SpanAttributes = Record<string, string | number | boolean>;

/** Work that becomes a span while tracing is on. */
export type Work = {
  name: string;
  /**
   * A `transaction` is part of what it runs in; the others begin traces of their own, whatever woke them. A `job` has none
   * until its first transaction: most of them only look whether something is due. A `client` calls another server.
   */
  kind: 'transaction' | 'job' | 'client';
  /** The work may add some until its end; with `error.type` the span has failed. */
  attributes: SpanAttributes;
  /** Set at the beginning, while tracing is on: the header with which the other server continues the trace. */
  traceparent?: string;
};

/** What `inSpan` reports to; only `tracing/recorder.ts` listens, and is loaded only while tracing is on. */
export const workChannel = tracingChannel<Work, unknown>('earshot.work');
/** What `annotate` reports to. */
export const noteChannel = channel('earshot.note');

/** Does some work; while tracing is on, as a span. */
export function inSpan<T>(work: Work, run: (work: Work) => Promise<T>): Promise<T> {
  return workChannel.hasSubscribers ? workChannel.tracePromise(run, work, undefined, work) : run(work);
}

/** Adds facts to the span in which this runs. */
export function annotate(attributes: SpanAttributes): void {
  if (noteChannel.hasSubscribers) noteChannel.publish(attributes);
}
