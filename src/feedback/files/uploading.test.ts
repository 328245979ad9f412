import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type GqlOptions, type TestApp, testBoth } from '../../../test/support/app.ts';
import {
  FORM_TYPE,
  fetchFile,
  isEmpty,
  listBytes,
  makeForm,
  type Part,
  PNG,
  sendForm,
  upload,
  uploadHeaders,
} from '../../../test/support/files.ts';
import { until } from '../../../test/support/until.ts';
import { MAX_FILE_BYTES } from './files.ts';

testBoth('a file is uploaded, described and served as it was', async (app) => {
  const bytes = Buffer.from('Größer, 更大, أكبر 🌒\n');
  const file = await upload(app, { filename: 'Größer 🌒.txt', bytes, type: 'text/html' });
  assert.deepEqual(file, {
    id: file.id,
    name: 'Größer 🌒.txt',
    contentType: 'text/plain; charset=utf-8',
    size: bytes.length,
    url: file.url,
  });
  assert.ok(file.url.startsWith('http://board.test/files/'));
  const served = await fetchFile(app, file.url);
  assert.equal(served.statusCode, 200);
  assert.deepEqual(served.rawPayload, bytes);
  assert.deepEqual(listBytes(app), [file.id]);
});

testBoth('an upload passes the checks of every request, in their order, before its body is read', async (app) => {
  const { makeKey, makeBoard } = app;
  const used = await makeKey({ rateRules: [{ seconds: 3_600, limit: 1 }] });
  await sendForm(app, makeForm([{ filename: 'a', bytes: 'a' }]), { key: used });
  const refusals: [code: string, status: number, options: GqlOptions][] = [
    ['UNAUTHENTICATED', 401, { key: '' }],
    ['PLAN_REQUIRED', 403, { key: await makeKey({ allowedIps: ['203.0.113.7'] }, await makeBoard({ plan: 'FREE' })) }],
    ['IP_NOT_ALLOWED', 403, { key: await makeKey({ allowedIps: ['203.0.113.7'], permissions: ['READ'] }) }],
    ['RATE_LIMIT_EXCEEDED', 429, { key: used }],
    ['FORBIDDEN', 403, { key: await makeKey({ permissions: ['READ'] }), as: null }],
    ['BAD_REQUEST', 400, { as: null }],
    ['BAD_REQUEST', 400, { as: null, headers: { ssotype: 'SSO' } }],
    ['NOT_FOUND', 404, { as: 'nobody' }],
  ];
  await app.db.transaction((tx) => tx.deleteFrom('files').execute());
  const before = listBytes(app);
  for (const [code, status, options] of refusals) {
    await sendForm(app, Buffer.from('not a form'), options);
    app.takeStatements();
    const response = await sendForm(app, Buffer.from('not a form'), options);
    assert.equal(response.json().errors[0].extensions.code, code);
    assert.equal(response.statusCode, status, code);
    assert.ok(
      app.takeStatements().every((sql) => sql.startsWith('select')),
      code,
    );
  }
  assert.deepEqual(listBytes(app), before);
  const limited = await sendForm(app, Buffer.from(''), { key: used });
  assert.ok(Number(limited.headers['retry-after']) > 0 && limited.headers.ratelimit !== undefined);
});

testBoth('a file may have 10 MiB and no byte more', async (app) => {
  const bytes = Buffer.alloc(MAX_FILE_BYTES + 1, 'x');
  const under = await upload(app, { bytes: bytes.subarray(2) });
  const at = await upload(app, { bytes: bytes.subarray(1) });
  assert.deepEqual([under.size, at.size], [MAX_FILE_BYTES - 1, MAX_FILE_BYTES]);
  assert.equal((await fetchFile(app, at.url)).rawPayload.length, MAX_FILE_BYTES);
  const over = await sendForm(app, makeForm([{ filename: 'a.txt', bytes }]));
  assert.equal(over.statusCode, 413);
  assert.equal(over.json().errors[0].message, 'The file is larger than the limit of 10 MiB');
  assert.deepEqual(listBytes(app).sort(), [under.id, at.id].sort());
});

testBoth('anything but a form with one file is refused and leaves nothing behind', async (app) => {
  const one: Part = { filename: 'a.txt', bytes: 'a' };
  const whole = makeForm([one]);
  const refused: [what: string, payload: Buffer, options?: GqlOptions][] = [
    ['an empty file', makeForm([{ filename: 'a.txt', bytes: '' }])],
    ['two files', makeForm([one, { ...one, filename: 'b.txt' }])],
    ['two files of one name', makeForm([one, one])],
    ['a file and a field', makeForm([one, { bytes: 'a', field: 'text' }])],
    ['a field and a file', makeForm([{ bytes: 'a', field: 'text' }, one])],
    ['a field', makeForm([{ bytes: 'a' }])],
    ['no part', makeForm([])],
    ['nothing', Buffer.alloc(0)],
    ['an end too soon', whole.subarray(0, -8)],
    ['an end within the file', whole.subarray(0, whole.indexOf('\r\n\r\na') + 5)],
    ['an end within the head', whole.subarray(0, 30)],
    ['no boundary', whole, { headers: { 'content-type': 'multipart/form-data' } }],
    ['a long boundary', whole, { headers: { 'content-type': `multipart/form-data; boundary=${'x'.repeat(300)}` } }],
    ['another boundary', whole, { headers: { 'content-type': 'multipart/form-data; boundary=other' } }],
  ];
  for (const [what, payload, options] of refused) {
    const response = await sendForm(app, payload, options);
    assert.equal(response.statusCode, 400, `${what}: ${response.body}`);
    assert.equal(response.json().errors[0].extensions.code, 'BAD_REQUEST', what);
    assert.ok(await isEmpty(app), what);
  }
});

testBoth('a sandbox takes no files', async (app) => {
  const board = await app.makeBoard({ sandboxVisitor: 'visitor' });
  const key = await app.makeKey({}, board);
  await app.makeUser('ada', undefined, { key });
  const response = await sendForm(app, makeForm([{ filename: 'a.txt', bytes: 'a' }]), { key });
  assert.equal(response.statusCode, 403);
  assert.ok(await isEmpty(app));
});

testBoth('an upload that breaks off leaves nothing behind, and a slow one arrives', async (app) => {
  const url = await listen(app);
  const headers = uploadHeaders(app);
  const whole = makeForm([{ filename: 'slow.bin', bytes: Buffer.alloc(200_000, 1) }]);
  const broken = request(`${url}/api/v1/files`, { method: 'POST', headers });
  broken.on('error', () => {});
  broken.write(whole.subarray(0, 100_000));
  await until('the first bytes are kept', () => listBytes(app).length === 1);
  broken.destroy();
  await until('nothing of them is left', () => isEmpty(app));

  const slow = request(`${url}/api/v1/files`, { method: 'POST', headers });
  const answered = new Promise<number | undefined>((resolve) => slow.on('response', (r) => resolve(r.statusCode)));
  for (let n = 0; n < whole.length; n += 20_001) {
    slow.write(whole.subarray(n, n + 20_001));
    await delay(30);
  }
  slow.end();
  assert.equal(await answered, 201);
  assert.equal(listBytes(app).length, 1);
});

testBoth('a client that sends too much or may not upload gets its error, whatever it is still sending', async (app) => {
  const url = await listen(app);
  const body = new Uint8Array(makeForm([{ filename: 'large.bin', bytes: Buffer.alloc(3 * MAX_FILE_BYTES, 1) }]));
  const send = (headers: Record<string, string>) => fetch(`${url}/api/v1/files`, { method: 'POST', headers, body });
  assert.equal((await send(uploadHeaders(app))).status, 413);
  assert.equal((await send({ 'content-type': FORM_TYPE })).status, 401);
  assert.ok(await isEmpty(app));
  assert.equal((await send({ ...uploadHeaders(app), 'content-type': 'image/png' })).status, 415);
});

testBoth('pages of any origin may upload with a key of their own', async ({ app }) => {
  const asked = await app.inject({ method: 'OPTIONS', url: '/api/v1/files', headers: { origin: 'https://a.example' } });
  assert.equal(asked.headers['access-control-allow-origin'], '*');
  assert.equal(asked.headers['access-control-allow-methods'], 'POST');
  assert.equal(asked.headers['access-control-allow-credentials'], undefined);
});

testBoth('when the folder for files cannot be written, no upload is confirmed', async (app) => {
  const { db } = app;
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${app.dataDir}/files`, 'in the way');
  const response = await sendForm(app, makeForm([{ filename: 'a.png', bytes: PNG }]));
  assert.equal(response.statusCode, 500);
  assert.deepEqual(await db.read.selectFrom('files').select('id').execute(), []);
});

async function listen({ app }: TestApp): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}
