import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { SpanAttributes } from '../lib/spans.ts';

/** What statements belong to: a span, or work that becomes one with its first transaction. */
export class Scope {
  /** What to add to `performance.now()`; the same for all spans in each other, so that none begins before its parent. */
  readonly #epochMs: number;
  readonly #startMs: number;
  readonly #begin: (startTime: number) => Span;
  #context: Context | null = null;

  constructor(begin: (startTime: number) => Span, parent?: Scope) {
    this.#begin = begin;
    this.#epochMs = parent ? parent.#epochMs : Date.now() - performance.now();
    this.#startMs = this.now();
  }

  now(): number {
    return this.#epochMs + performance.now();
  }

  /** The span, if it has begun. */
  get span(): Span | null {
    return this.#context && (trace.getSpan(this.#context) ?? null);
  }

  /** What spans within it are children of. */
  begin(): Context {
    this.#context ??= trace.setSpan(ROOT_CONTEXT, this.#begin(this.#startMs));
    return this.#context;
  }

  end(attributes: SpanAttributes): void {
    const { span } = this;
    span?.setAttributes(attributes);
    if (attributes['error.type'] !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end(this.now());
  }
}

/** What kind of failure it was: a code, or the name of a class. Messages may quote what users wrote. */
export function typeOf(error: unknown): string {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return `SQLITE_${errcode}`;
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code;
  return error instanceof Error ? error.constructor.name : 'Error';
}
