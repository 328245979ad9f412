import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CollectedSpan, startCollector } from '../../../test/support/collector.ts';
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

test('work goes on as it would without a trace, and its failure is shown without its message', async (t) => {
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
