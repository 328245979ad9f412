import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { type CollectedSpan, startCollector } from '../../../test/support/collector.ts';
import { findFreePort } from '../../../test/support/postgres.ts';
import { startReceiver } from '../../../test/support/receiver.ts';
import { until } from '../../../test/support/until.ts';
import { readConfig } from '../config.ts';
import { makeLog } from '../lib/log.ts';
import { inSpan, type Work } from '../lib/spans.ts';
import { startTracing } from './tracing.ts';

const makeWork = (attributes: Work['attributes'] = {}): Work => ({ name: 'work', kind: 'client', attributes });
const isWork = ({ name }: CollectedSpan) => name === 'work';

test('spans wait for a slow collector in limited number, and long texts are cut', async (t) => {
  const collector = await startCollector(t);
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  const tracing = await startTracing(config, makeLog('silent'));
  const answer = collector.hang();
  for (const length of [1_999, 2_000, 2_001]) await inSpan(makeWork({ text: 'x'.repeat(length) }), async () => {});
  for (let n = 3; n < 3_000; n++) await inSpan(makeWork(), async () => {});
  answer();
  await collector.find('all that fit', isWork, 512 + 2_048);
  await tracing.stop();
  const spans = collector.spans().filter(isWork);
  assert.equal(spans.length, 512 + 2_048);
  assert.deepEqual(
    spans.slice(0, 3).map(({ attributes }) => String(attributes.text).length),
    [1_999, 2_000, 2_000],
  );
  // Once stopped it records nothing.
  await inSpan(makeWork(), async (work) => assert.equal(work.traceparent, undefined));
});

test('traced work behaves as without a trace, and its failure is recorded without its message', async (t) => {
  const collector = await startCollector(t);
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  const tracing = await startTracing(config, makeLog('silent'));
  const failure = Object.assign(new TypeError('of secret@example.com'), { code: 'with spaces' });
  await assert.rejects(
    inSpan(makeWork(), () => Promise.reject(failure)),
    failure,
  );
  assert.equal(await inSpan(makeWork({ 'error.type': 'timeout' }), async () => 'result'), 'result');
  const spans = await collector.find('both', isWork, 2);
  await tracing.stop();
  assert.deepEqual(
    spans.map(({ status, attributes }) => [status.code, attributes['error.type']]),
    [
      [2, 'TypeError'],
      [2, 'timeout'],
    ],
  );
  assert.ok(!collector.received.some(({ body }) => body.includes('secret@')));
});

/** What is logged while work is traced and the collector is asked, as objects. */
async function logOf(endpoint: string, work: (logged: Record<string, unknown>[]) => Promise<void>) {
  const logged: Record<string, unknown>[] = [];
  const options = { base: null, timestamp: false };
  const log = pino(options, { write: (line) => logged.push(JSON.parse(line)) });
  const tracing = await startTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }), log);
  await work(logged);
  await tracing.stop();
  return logged;
}

const OUTAGE = 'Traces cannot be sent: they are lost until the collector takes them again';
const span = () => inSpan(makeWork(), async () => {});

test('an outage of the collector is logged once, and its end', async (t) => {
  let status = 503;
  const { origin, received } = await startReceiver(t, (_, response) => response.writeHead(status).end());
  const logged = await logOf(origin, async (log) => {
    for (status of [503, 500, 401]) {
      const before = received.length;
      await span();
      await until('the collector is asked', () => received.length > before);
    }
    status = 200;
    await until('it works again', async () => {
      await span();
      return log.length > 2;
    });
    const before = received.length;
    await span();
    await until('the next request', () => received.length > before);
    status = 503;
    await until('the next outage', async () => {
      await span();
      return log.length > 3;
    });
  });
  const collector = `${origin}/v1/traces`;
  const [begun, failed, again, ...later] = logged;
  assert.deepEqual(begun, { level: 30, collector, msg: 'traces are sent' });
  assert.deepEqual(failed, { level: 40, collector, reason: 'status 503', msg: OUTAGE });
  // Requests to the collector, which is in this process, are spans as well.
  const { lost, ...rest } = again ?? {};
  assert.ok(Number(lost) >= 3);
  assert.deepEqual(rest, { level: 30, collector, msg: 'Traces are sent again' });
  assert.deepEqual(later, [failed]);
});

test('traces are sent as protocol buffers on request, with the attributes of the installation', async (t) => {
  const { origin, received } = await startReceiver(t, (_, response) => response.end());
  const config = readConfig({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${origin}/in?token=hunter2`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
  });
  const log: string[] = [];
  const write = (line: string) => void log.push(line);
  const tracing = await startTracing(config, pino({ base: null }, { write }));
  await span();
  await until('it is sent', () => received.length > 0);
  await tracing.stop();
  const [request] = received;
  assert.deepEqual([request?.url, request?.headers['content-type']], ['/in?token=hunter2', 'application/x-protobuf']);
  const bytes = request?.body.toString('latin1') ?? '';
  // Strings in protocol buffers follow their length.
  for (const text of ['deployment.environment.name', 'staging', 'service.name', 'earshot', 'work']) {
    assert.ok(bytes.includes(String.fromCharCode(text.length) + text), text);
  }
  assert.doesNotMatch(log.join(), /hunter2/);
});

test('a collector that is not there is logged without a stack', async () => {
  const origin = `http://127.0.0.1:${await findFreePort()}`;
  const [, failed] = await logOf(origin, async (log) => {
    await span();
    await until('the failure', () => log.length > 1);
  });
  assert.deepEqual(failed, {
    level: 40,
    collector: `${origin}/v1/traces`,
    reason: 'ECONNREFUSED',
    msg: OUTAGE,
  });
});
