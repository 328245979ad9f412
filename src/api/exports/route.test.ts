import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';

testBoth('HEAD answers as GET would, and reads nothing of the board', async (app) => {
  await app.makePost('One');
  const ask = async (method: 'GET' | 'HEAD', url: string, apikey = app.key) => {
    const { statusCode, headers, body } = await app.app.inject({ method, url, headers: { apikey } });
    const { date, 'x-request-id': id, 'transfer-encoding': coding, 'content-length': length, ...rest } = headers;
    return { body, told: { statusCode, ...rest } };
  };
  for (const path of ['/api/csv?votes=true&bom=true', '/api/board.csv', '/api/jsonl?comments=true']) {
    const got = await ask('GET', path);
    app.takeStatements();
    const head = await ask('HEAD', path);
    assert.deepEqual([head.told, head.told.statusCode, head.body], [got.told, 200, ''], path);
    assert.deepEqual(app.takeStatements(), [], path);
  }
  const writer = await app.makeKey({ permissions: ['WRITE'] });
  for (const [path, key, status] of [
    ['/api/csv?votes=perhaps', app.key, 400],
    ['/api/board.csv', writer, 403],
    ['/api/jsonl', 'nonsense', 401],
  ] as const) {
    const head = await ask('HEAD', path, key);
    assert.deepEqual([head.told, head.told.statusCode], [(await ask('GET', path, key)).told, status]);
  }
});

testBoth('CSV has a byte order mark only where one is asked for, and board.csv is the same file', async (app) => {
  await app.makePost('Größe');
  const bytes = async (url: string) => {
    const { rawPayload, headers } = await app.app.inject({ url, headers: { apikey: app.key } });
    return { text: rawPayload.toString('latin1'), headers };
  };
  const plain = await bytes('/api/csv');
  assert.match(plain.text, /^Post,URL,/);
  assert.deepEqual((await bytes('/api/csv?bom=false')).text, plain.text);
  assert.deepEqual((await bytes('/api/csv?bom=true')).text, `\xef\xbb\xbf${plain.text}`);
  for (const query of ['', '?bom=true']) {
    const [sheet, csv] = [await bytes(`/api/board.csv${query}`), await bytes(`/api/csv${query}`)];
    assert.deepEqual([sheet.text, sheet.headers['content-type']], [csv.text, csv.headers['content-type']]);
    assert.equal(sheet.headers['content-disposition'], csv.headers['content-disposition']);
  }
  assert.match((await bytes('/api/jsonl?bom=true')).text, /^{"row"/);
  assert.match((await bytes('/api/csv?bom=1')).text, /bom must be true or false/);
});
