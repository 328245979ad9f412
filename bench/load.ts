import { cpuSeconds, runProgram, type Server } from './processes.ts';

/** Requests to send: the bodies in turn, or GET if there are none, on so many connections, for so long. */
export type Load = {
  url: string;
  connections: number;
  seconds: number;
  headers: Record<string, string>;
  bodies: readonly string[];
  /** Requests a second of all connections together; without it, each sends the next one once it is answered. */
  perSecond?: number;
};

/** What the load generator saw. */
export type Measured = {
  /** Good answers. */
  requests: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers that were not 200, carried errors, or did not come. */
  failures: number;
  /** The beginning of the first body that was not good. */
  refused: string;
};

/** One measurement: good answers a second, and processor time of the server for each in microseconds. */
export type Sample = { perSecond: number; cpuMicros: number | null; p50Ms: number; p99Ms: number; requests: number };

/** Puts a server under load. @throws when an answer is not good */
export async function measure(
  server: Pick<Server, 'url' | 'pid'>,
  path: string,
  load: Omit<Load, 'url'>,
): Promise<Sample> {
  const before = cpuSeconds(server.pid);
  const input: Load = { ...load, url: `${server.url}${path}` };
  const result = await runProgram<Measured>('others', { file: 'load/send.ts' }, input);
  const after = cpuSeconds(server.pid);
  if (result.failures > 0 || result.requests === 0) {
    throw new Error(`${input.url}: ${result.failures} of ${result.requests} answers were not good. ${result.refused}`);
  }
  const cpu = before === null || after === null ? null : ((after - before) / result.requests) * 1e6;
  return {
    perSecond: result.requests / result.seconds,
    cpuMicros: cpu,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    requests: result.requests,
  };
}
