import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../config.ts';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318';
const read = (env: Record<string, string>) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...env }).tracing;

test('traces are sent to a path below the endpoint, which it may have already', () => {
  for (const [endpoint, url] of [
    ['http://collector:4318', 'http://collector:4318/v1/traces'],
    ['http://collector:4318/', 'http://collector:4318/v1/traces'],
    ['https://example.com/api/otlp', 'https://example.com/api/otlp/v1/traces'],
    ['https://example.com/api/otlp/v1/traces', 'https://example.com/api/otlp/v1/traces'],
    ['https://example.com/api/otlp/v1/traces/', 'https://example.com/api/otlp/v1/traces'],
    ['https://example.com/otlpv1/traces', 'https://example.com/otlpv1/traces/v1/traces'],
  ] as const) {
    assert.equal(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).tracing?.url, url);
  }
});

test('a sampler sets the share that is recorded, and whether callers decide', () => {
  for (const [sampler, share, followsCallers] of [
    ['', 0.05, false],
    ['traceidratio', 0.05, false],
    ['always_on', 1, false],
    ['always_off', 0, false],
    ['parentbased_traceidratio', 0.05, true],
    ['parentbased_always_on', 1, true],
    ['parentbased_always_off', 0, true],
  ] as const) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_TRACES_SAMPLER_ARG: '0.05' };
    const { tracing } = readConfig({ ...env, OTEL_TRACES_SAMPLER: sampler });
    assert.deepEqual([tracing?.share, tracing?.followsCallers], [share, followsCallers], sampler);
  }
});

test('traces can be turned off, wherever their collector is named', () => {
  for (const env of [
    { OTEL_SDK_DISABLED: 'true' },
    { OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  ]) {
    assert.equal(read(env), null, JSON.stringify(env));
  }
  for (const env of [{ OTEL_SDK_DISABLED: 'false' }, { OTEL_TRACES_EXPORTER: 'otlp' }])
    assert.notEqual(read(env), null);
});

test('what is set for traces alone comes before what is set for all', () => {
  const target = 'https://traces.example.com/in?token=hunter2';
  assert.equal(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: target })?.url, target, 'nothing is added');
  const alone = readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: target });
  assert.equal(alone.tracing?.url, target);
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'x-a=1,x-b=2', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' };
  assert.deepEqual([read(env)?.headers, read(env)?.isProtobuf], [{ 'x-a': '1', 'x-b': '2' }, true]);
  const own = { OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'X-A=%203', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' };
  assert.deepEqual(
    [read({ ...env, ...own })?.headers, read({ ...env, ...own })?.isProtobuf],
    [{ 'x-a': ' 3'.trim() }, false],
  );
});

test('attributes of the installation are given, and its name by the variable made for that', () => {
  const OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=staging, team=caf%C3%A9=1,service.name=ideas';
  const attributes = { 'deployment.environment.name': 'staging', team: 'café=1', 'service.name': 'ideas' };
  assert.deepEqual(read({ OTEL_RESOURCE_ATTRIBUTES })?.attributes, attributes);
  const named = read({ OTEL_RESOURCE_ATTRIBUTES, OTEL_SERVICE_NAME: 'earshot' });
  assert.deepEqual(named?.attributes, { ...attributes, 'service.name': 'earshot' });
  assert.deepEqual(read({})?.attributes, { 'service.name': 'earshot' });
});

test('a mistake in them is named like any other, without what may be secret', () => {
  const env = {
    OTEL_SDK_DISABLED: 'yes',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://collector:4317?token=hunter2',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'hunter2',
    OTEL_RESOURCE_ATTRIBUTES: 'team',
  };
  assert.throws(
    () => readConfig(env),
    (error: Error) => {
      const lines = error.message.split('\n');
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(lines.map((line) => line.split(':', 1)[0]).sort(), Object.keys(env).sort());
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    },
  );
});
