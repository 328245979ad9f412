import { type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger };

/** The levels that `LOG_LEVEL` may name, the most verbose first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * A log of one JSON object a line on standard error; standard output is for people and scripts. Request headers and
 * bodies are never logged: they carry keys.
 */
export function makeLog(level: LogLevel): Logger {
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = pino.stdTimeFunctions.isoTime;
  const quiet = makeQuiet(makeLater());
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, method, levelNumber) {
      const write = (...line: unknown[]) => method.apply(this, line as Parameters<typeof method>);
      if (levelNumber < WARN) write(...args);
      else quiet(args, write);
    },
  };
  return pino({ level, base: null, formatters, timestamp, hooks }, pino.destination({ dest: 2, sync: true }));
}

const WARN = 40;
/** Problems that persist until someone solves them; logging much about a full disk fills it further. */
const LASTING = /\bdisk\b|ENOSPC|EDQUOT|no space left|no room/i;
/** Maximum number of problems tracked at once; others are forgotten, and logged in full again. */
const KINDS = 100;

/** Gets each line, whether it is written or omitted. */
type Write = (...line: unknown[]) => void;

/**
 * Keeps the log short while the same problem persists: one line about it, and then one a second, or a minute for a full
 * disk, that counts the others. Once there are none for that long, the next is logged in full.
 * @param later calls back after this many milliseconds, or at the end of the process if that comes first
 */
export function makeQuiet(
  later: (milliseconds: number, work: () => void) => void,
): (args: unknown[], write: Write) => void {
  const kinds = new Map<string, { left: number; write: Write }>();

  function reportMore(kind: string, known: { left: number; write: Write }): void {
    if (known.left > 0) known.write({ more: known.left }, `${known.left} more like it: ${kind.trim()}`);
    known.left = 0;
  }

  function watch(kind: string, known: { left: number; write: Write }): void {
    later(LASTING.test(kind) ? 60_000 : 1_000, () => {
      if (kinds.get(kind) !== known) return;
      if (known.left === 0) kinds.delete(kind);
      else watch(kind, known);
      reportMore(kind, known);
    });
  }

  return (args, write) => {
    const kind = kindOf(args);
    const known = kinds.get(kind);
    if (known) {
      Object.assign(known, { left: known.left + 1, write });
      return;
    }
    if (kinds.size >= KINDS) {
      for (const [other, each] of kinds) reportMore(other, each);
      kinds.clear();
    }
    const begun = { left: 0, write };
    kinds.set(kind, begun);
    watch(kind, begun);
    write(...args);
  };
}

/** The subject of a line: its message, and that of the error in it. */
function kindOf([first, message]: unknown[]): string {
  const error = (first as { err?: unknown } | null | undefined)?.err;
  return `${typeof first === 'string' ? first : message} ${error instanceof Error ? error.message : ''}`;
}

/** Timers that do not keep the process alive, and that fire when the process ends, before the log is closed. */
function makeLater(): (milliseconds: number, work: () => void) => void {
  const pending = new Set<() => void>();
  const endAll = () => {
    for (const work of [...pending]) work();
  };
  return (milliseconds, work) => {
    if (pending.size === 0) process.prependListener('exit', endAll);
    pending.add(work);
    const end = () => {
      pending.delete(work);
      if (pending.size === 0) process.off('exit', endAll);
      work();
    };
    setTimeout(end, milliseconds).unref();
  };
}
