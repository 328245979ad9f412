import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { testBoth } from '../../../test/support/app.ts';
import { fetchFile, PNG, upload } from '../../../test/support/files.ts';
import { makeFileFolder } from '../../feedback/files/folder.ts';
import { makeId } from '../../platform/lib/ids.ts';

testBoth('whatever a file is, a browser gets nothing to carry out', async (app) => {
  const page = '<script>alert(1)</script>';
  const picture = await fetchFile(app, (await upload(app, { filename: 'ä"b.png', bytes: PNG })).url);
  const document = await fetchFile(
    app,
    (await upload(app, { filename: 'x.svg', bytes: page, type: 'image/svg+xml' })).url,
  );
  for (const { headers } of [picture, document]) {
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/);
    assert.equal(headers['cache-control'], 'private, max-age=86400, immutable');
  }
  assert.equal(picture.headers['content-type'], 'image/png');
  assert.equal(picture.headers['content-disposition'], `inline; filename="_b.png"; filename*=UTF-8''%C3%A4b.png`);
  assert.equal(document.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(document.headers['content-disposition'], `attachment; filename="x.svg.txt"; filename*=UTF-8''x.svg.txt`);
});

testBoth('the address of a file cannot be guessed, and its name alone leads nowhere', async (app) => {
  const { url, id } = await upload(app, { filename: 'a.txt', bytes: 'a' });
  const [, , boardId, , token = ''] = new URL(url).pathname.split('/');
  assert.ok(token.length >= 32);
  const at = (board: string | undefined, file: string, secret: string) =>
    `http://board.test/files/${board}/${file}/${secret}/a.txt`;
  const other = await app.makeBoard();
  const wrong = [
    at(boardId, id, token.slice(0, -1)),
    at(boardId, id, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`),
    at(boardId, id, 'null'),
    at(boardId, id, '%00'),
    at(boardId, makeId(), token),
    at(other.id, id, token),
    at('..', '..', token),
    at(boardId, '%2e%2e%2f%2e%2e%2fearshot.db', token),
    at(boardId, '%00', token),
  ];
  for (const address of wrong) assert.equal((await fetchFile(app, address)).statusCode, 404, address);
  const renamed = await fetchFile(app, url.replace('a.txt', '..%2f..%2fearshot.db'));
  assert.equal(renamed.body, 'a');
});

testBoth('a part of a file, what is known already, and the head alone', async (app) => {
  const { url, id } = await upload(app, { bytes: '0123456789' });
  const part = async (range: string, more: Record<string, string> = {}) => {
    const { statusCode, body, headers } = await fetchFile(app, url, { range, ...more });
    return [statusCode, body, headers['content-range'] ?? null];
  };
  assert.deepEqual(await part('bytes=0-0'), [206, '0', 'bytes 0-0/10']);
  assert.deepEqual(await part('bytes=7-'), [206, '789', 'bytes 7-9/10']);
  assert.deepEqual(await part('bytes=-3'), [206, '789', 'bytes 7-9/10']);
  assert.deepEqual(await part('bytes=-30'), [206, '0123456789', 'bytes 0-9/10']);
  assert.deepEqual(await part('bytes=8-99'), [206, '89', 'bytes 8-9/10']);
  assert.deepEqual(await part('bytes=10-'), [416, '', 'bytes */10']);
  assert.deepEqual(await part('bytes=-0'), [416, '', 'bytes */10']);
  for (const whole of ['bytes=5-2', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2', 'x']) {
    assert.deepEqual(await part(whole), [200, '0123456789', null], whole);
  }
  assert.deepEqual(await part('bytes=0-0', { 'if-range': `"${id}"` }), [206, '0', 'bytes 0-0/10']);
  assert.deepEqual(await part('bytes=0-0', { 'if-range': '"other"' }), [200, '0123456789', null]);
  assert.equal((await fetchFile(app, url, { 'if-none-match': `W/"x", "${id}"` })).statusCode, 304);
  const head = await app.app.inject({ method: 'HEAD', url: new URL(url).pathname });
  assert.deepEqual([head.statusCode, head.headers['content-length'], head.body], [200, '10', '']);
});

testBoth('a file whose bytes are missing is distinguished from one that does not exist', async (app) => {
  const { url, id } = await upload(app, { bytes: 'a' });
  rmSync(makeFileFolder(app.dataDir).pathOf(id));
  const { statusCode, headers, body } = await fetchFile(app, url);
  assert.equal(statusCode, 503);
  assert.equal(JSON.parse(body).errors[0].extensions.code, 'SERVICE_UNAVAILABLE');
  const kept = [headers['content-type'], headers['cache-control'], headers['content-disposition'], headers.etag];
  assert.deepEqual(kept, ['application/json; charset=utf-8', 'no-store', undefined, undefined]);
});
