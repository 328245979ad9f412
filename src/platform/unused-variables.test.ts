import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settings } from './config.ts';
import { describeUnused } from './unused-variables.ts';

test('variables that have an effect, and those of others, are no reason for a line', () => {
  const known = Object.fromEntries(Object.entries(settings).map(([name, { fallback }]) => [name, fallback]));
  const others = ['PATH', 'HOME', 'HOSTNAME', 'PWD', 'NODE_OPTIONS', 'HTTP_PROXY', 'NO_PROXY', 'TZ', 'LANG', 'PORTS'];
  const environment = {
    ...known,
    ...Object.fromEntries(others.map((name) => [name, 'x'])),
    // Of services in Kubernetes and Docker.
    EARSHOT_PORT: 'tcp://10.0.0.1:4000',
    EARSHOT_SERVICE_HOST: '10.0.0.1',
    POSTGRES_PORT_5432_TCP: 'x',
    SECRET_KEY_FILE: '/run/secrets/key',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS_FILE: '/run/secrets/headers',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
    OTEL_BSP_SCHEDULE_DELAY: '',
  };
  assert.deepEqual(describeUnused(environment), []);
});

test('each variable of OpenTelemetry without an effect gets one line, with what to do', () => {
  const cases: [name: string, value: string, line: RegExp][] = [
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /over HTTP only; set it to http\/protobuf or http\/json, .* usually 4318$/],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc', /over HTTP only/],
    ['OTEL_TRACES_EXPORTER', 'zipkin', /set it to otlp, or to none/],
    ['OTEL_METRICS_EXPORTER', 'otlp', /metrics are at \/metrics/],
    ['OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', 'http://a', /the log goes to standard error/],
    ['OTEL_EXPORTER_OTLP_CERTIFICATE', 'ca.pem', /NODE_EXTRA_CA_CERTS/],
    ['OTEL_PROPAGATORS', 'b3', /docs\/configuration\.md/],
    ['OTEL_ANYTHING_NEW', 'hunter2', /has no effect here/],
  ];
  const lines = describeUnused(Object.fromEntries(cases.map(([name, value]) => [name, value])));
  assert.equal(lines.length, cases.length);
  for (const [name, , expected] of cases) {
    const [line = '', ...more] = lines.filter((each) => each.startsWith(`${name}: `));
    assert.match(line, expected);
    assert.deepEqual(more, []);
  }
  assert.doesNotMatch(lines.join('\n'), /hunter2/);
});

test('a name that is almost a known variable gets a warning', () => {
  for (const [name, meant] of [
    ['BASEURL', 'BASE_URL'],
    ['BASE_URI', 'BASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['TRUST_PROXYS', 'TRUST_PROXY'],
    ['OIDC_CLIENTSECRET', 'OIDC_CLIENT_SECRET'],
  ]) {
    assert.deepEqual(describeUnused({ [String(name)]: 'x' }), [`${name}: it has no effect; is ${meant} meant?`]);
  }
  assert.match(describeUnused({ BASE_URL_FILE: '/a' })[0] ?? '', /^BASE_URL_FILE: .*only secrets .* set BASE_URL$/);
});
