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
  const quiet = makeQuiet(Date.now);
  const hooks: LoggerOptions['hooks'] = {
    logMethod(args, method, levelNumber) {
      const again = levelNumber < WARN ? 0 : quiet(args);
      if (again === null) return;
      const [first, ...rest] = args as unknown[] as [object, ...string[]];
      if (again > 0 && typeof first === 'object') method.apply(this, [{ ...first, again }, ...rest]);
      else method.apply(this, args);
    },
  };
  return pino({ level, base: null, formatters, timestamp, hooks }, pino.destination(2));
}

const WARN = 40;
/** Trouble that stays until a person ends it; writing a lot about a full disk fills it further. */
const LASTING = /\bdisk\b|ENOSPC|EDQUOT|no space left|no room/i;
/** More kinds of trouble at once than this are forgotten, and told anew. */
const KINDS = 100;

/**
 * Keeps the log short while the same trouble goes on: of it a line a second, and a line a minute of a full disk.
 * @returns what is asked of each line: null when it is left out, else how many like it were left out before
 */
export function makeQuiet(now: () => number): (args: readonly unknown[]) => number | null {
  const kinds = new Map<string, { since: number; left: number }>();
  return ([first, message]) => {
    const error = (first as { err?: unknown } | null | undefined)?.err;
    const trouble = error instanceof Error ? error.message : '';
    const kind = `${typeof first === 'string' ? first : message} ${trouble}`;
    const known = kinds.get(kind);
    const span = LASTING.test(kind) ? 60_000 : 1_000;
    if (known && now() - known.since < span) {
      known.left++;
      return null;
    }
    if (kinds.size >= KINDS) kinds.clear();
    kinds.set(kind, { since: now(), left: 0 });
    return known?.left ?? 0;
  };
}
