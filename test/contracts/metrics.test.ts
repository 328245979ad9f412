import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { environmentFor, startServer } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The metrics of a real server that has been asked for something, with the names of the labels of each. */
async function readMetrics(url: string): Promise<Map<string, Set<string>>> {
  for (const path of ['/', '/b/feedback', '/nothing', '/api/v1/graphql', '/readyz']) await fetch(url + path);
  const text = await (await fetch(`${url}/metrics`)).text();
  const metrics = new Map([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => [name, new Set<string>()]));
  for (const [, series = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metrics.get(metricOf(series, metrics))?.add(label);
  }
  return metrics;
}

/** A histogram has several series. */
function metricOf(series: string, metrics: ReadonlyMap<string, unknown>): string {
  return metrics.has(series) ? series : series.replace(/_(bucket|sum|count)$/, '');
}

const NAME = String.raw`\b(?:earshot|process|nodejs)_[a-z][a-z0-9_]*\b`;

/** What the queries of a file ask for: `metric` and `metric label`. */
function readQueries(queries: readonly string[]): string[] {
  return queries.flatMap((query) =>
    [...query.matchAll(new RegExp(String.raw`(${NAME})(?:\{([^}]*)\})?`, 'g'))].flatMap(
      ([, name = '', selector = '']) => [
        name,
        ...[...selector.matchAll(/(\w+)(?:=|!=)/g)].map(([, label]) => `${name} ${label}`),
      ],
    ),
  );
}

/** Labels that Prometheus adds. */
const ADDED = new Set(['instance', 'job']);

for (const engine of engines) {
  test(`every metric of the docs, the dashboard and the alerts is at /metrics, and ours are in the docs [${engine}]`, async (t) => {
    const server = await startServer(t, environmentFor(await makeStorePlace(t, engine)));
    const metrics = await readMetrics(server.url);
    const dashboard = [...read('deploy/grafana-dashboard.json').matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)];
    const alerts = [...read('deploy/prometheus-alerts.yml').matchAll(/^ +expr: (.*)$/gm)];
    assert.ok(dashboard.length > 20 && alerts.length > 10);
    const queries = [...dashboard, ...alerts].map(([, query = '']) => query.replaceAll('\\"', '"'));
    const unknown = readQueries(queries).filter((asked) => {
      const [series = '', label] = asked.split(' ');
      const labels = metrics.get(metricOf(series, metrics));
      return !labels || (label !== undefined && !ADDED.has(label) && !labels.has(label));
    });
    assert.deepEqual(unknown, []);
    const documented = [...read('docs/monitoring.md').matchAll(new RegExp(`\`(${NAME})\``, 'g'))].map(
      ([, name = '']) => name,
    );
    assert.deepEqual(
      documented.filter((name) => !metrics.has(name)),
      [],
    );
    const ours = [...metrics.keys()].filter((name) => name.startsWith('earshot_'));
    assert.deepEqual([...new Set(documented.filter((name) => name.startsWith('earshot_')))].sort(), ours.sort());
  });
}
