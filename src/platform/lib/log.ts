import { type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger };

/** The levels that `LOG_LEVEL` may name, the most talkative first. */
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
/** Trouble that stays until a person ends it; writing a lot about a full disk fills it further. */
const LASTING = /\bdisk\b|ENOSPC|EDQUOT|no space left|no room/i;
/** More kinds of trouble at once than this are forgotten, and told anew. */
const KINDS = 100;

/** Takes a line to write it, left out or not. */
type Write = (...line: unknown[]) => void;

/**
 * Keeps the log short while the same trouble goes on: of it there is one line, and then one a second, or a minute of a
 * full disk, that says how many more there were. Once there are none for as long, the next is told in full.
 * @param later calls back after so many milliseconds, and at the end of the process if that comes first
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

/** What a line is about: its words, and those of the error in it. */
function kindOf([first, message]: unknown[]): string {
  const error = (first as { err?: unknown } | null | undefined)?.err;
  return `${typeof first === 'string' ? first : message} ${error instanceof Error ? error.message : ''}`;
}

/** Timers that keep no process alive, and go off when the process ends: before the log is closed, that is. */
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
