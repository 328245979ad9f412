import { type Logger, pino } from 'pino';

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
  return pino({ level, base: null, formatters, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}
