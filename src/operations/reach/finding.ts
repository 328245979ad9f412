import { type LocalizedMessage, quote } from '../../platform/messages.ts';
import { printable } from '../../platform/texts/text.ts';

/** What a request of a browser tells of the way that it came. */
export type RequestCheck = 'address' | 'scheme' | 'host' | 'origin' | 'compression';
/** What the settings show. */
export type OverviewCheck = RequestCheck | 'mail' | 'sender' | 'providers';

/** What was found about one thing between people and a board. */
export type Finding<C extends string = OverviewCheck> = {
  check: C;
  /** Null: it cannot be told from here. */
  isRight: boolean | null;
  /** What is there now: short and printable, whatever a request has said. */
  seen: LocalizedMessage;
  /** What is wrong with it, or why it cannot be told. */
  why: LocalizedMessage | null;
  change: Change | null;
};

/** A line to set, and the lines for the same in several proxies, of which it is the first. */
export type Change = { line: string; forms: readonly ProxyLine[] };
export type ProxyLine = { proxy: string; line: string };

/** Names a check and what is there. */
export type Subject<C extends string> = { check: C; seen: LocalizedMessage | string };

export function right<C extends string>(subject: Subject<C>): Finding<C> {
  return finding(subject, true, null, null);
}

export function wrong<C extends string>(
  subject: Subject<C>,
  why: LocalizedMessage,
  change: Change | string | null,
): Finding<C> {
  return finding(subject, false, why, change);
}

/** Neither right nor wrong, as far as can be told. */
export function unclear<C extends string>(
  subject: Subject<C>,
  why: LocalizedMessage | null,
  change: Change | string | null = null,
): Finding<C> {
  return finding(subject, null, why, change);
}

function finding<C extends string>(
  { check, seen }: Subject<C>,
  isRight: boolean | null,
  why: LocalizedMessage | null,
  change: Change | string | null,
): Finding<C> {
  return {
    check,
    isRight,
    seen: typeof seen === 'string' ? quote(printable(seen)) : seen,
    why,
    change: typeof change === 'string' ? { line: change, forms: [] } : change,
  };
}
