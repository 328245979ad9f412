import { Counter, Histogram, type Registry } from 'prom-client';

/** Counts requests: those to the API by root field, all others by route. */
export type RequestMetrics = {
  /** Counts a request to the API and the time it took; `operation` is a root field, never a text from the client. */
  countOperation(operation: string, code: string, seconds: number): void;
  /** Counts any other request; `route` is one of a few fixed words (`src/pages/kinds.ts`). */
  countAnswer(route: string, status: number, seconds: number): void;
};

export function makeRequestMetrics(registers: Registry[]): RequestMetrics {
  const operations = new Counter({
    name: 'earshot_graphql_requests_total',
    help: 'Requests by root field and error code (OK without an error)',
    labelNames: ['operation', 'code'],
    registers,
  });
  const operationSeconds = new Histogram({
    name: 'earshot_graphql_request_seconds',
    help: 'Time from the parsed HTTP request to the response, by root field',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const refusals = new Counter({
    name: 'earshot_rate_limit_refusals_total',
    help: 'Requests refused by the rate limits of their key',
    registers,
  });
  const answers = new Counter({
    name: 'earshot_http_requests_total',
    help: 'Requests for pages, files and everything else except the API, by route and status',
    labelNames: ['route', 'status'],
    registers,
  });
  const answerSeconds = new Histogram({
    name: 'earshot_http_request_seconds',
    help: 'Time from such a request to the end of its response, by route',
    labelNames: ['route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const countsOf = keep((name) => operations.labels(...(name.split(' ') as [string, string])));
  const secondsOf = keep((operation) => operationSeconds.labels(operation));
  return {
    countOperation(operation, code, seconds) {
      countsOf(`${operation} ${code}`).inc();
      secondsOf(operation).observe(seconds);
      if (code === 'RATE_LIMIT_EXCEEDED') refusals.inc();
    },
    countAnswer(route, status, seconds) {
      answers.inc({ route, status });
      answerSeconds.observe({ route }, seconds);
    },
  };
}

/** Finding a series by its labels takes prom-client several times as long as incrementing it. */
function keep<T>(find: (name: string) => T): (name: string) => T {
  const kept = new Map<string, T>();
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const found = find(name);
    kept.set(name, found);
    return found;
  };
}
