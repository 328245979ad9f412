import assert from 'node:assert/strict';
import { testBoth } from '../support/app.ts';
import { BOUNDARY, FORM_TYPE, isEmpty } from '../support/files.ts';
import { makeSender } from './doors.ts';

/** How clients say the name of a file, by who was seen to send it so or does it by its sources, and the name it gets. */
const named: readonly (readonly [client: string, disposition: string | Buffer, name: string])[] = [
  [
    'browsers; curl 7.88; PHP 8.2; Node 26 FormData',
    'form-data; name="file"; filename="Größe %22x%22.txt"',
    'Größe x.txt',
  ],
  ['Python requests 2.34, httpx 0.28; OkHttp 3.13', 'form-data; name="file"; filename="Größe%0D%0A.txt"', 'Größe.txt'],
  ['Go 1.19; Ruby 3.1 net/http; Perl LWP 6.68', 'form-data; name="file"; filename="Größe \\"x\\".txt"', 'Größe x.txt'],
  ['Guzzle 7.4; Faraday 1.1; rest-client 2.1', 'form-data; name="file"; filename="Größe "x".txt"', 'Größe x.txt'],
  ['Apache HttpMime 4.5.14, RFC6532', 'form-data; name="file"; filename="Größe.txt"', 'Größe.txt'],
  ['aiohttp 3.14', 'form-data; name="file"; filename="Gr%C3%B6%C3%9Fe%20%22x%22.txt"', 'Größe x.txt'],
  [
    '.NET HttpClient',
    `form-data; name=file; filename="=?utf-8?B?R3LDtsOfZS50eHQ=?="; filename*=utf-8''Gr%C3%B6%C3%9Fe.txt`,
    'Größe.txt',
  ],
  ['.NET before it knew filename*', 'form-data; name=file; filename="=?utf-8?B?R3LDtsOfZS50eHQ=?="', 'Größe.txt'],
  ['mail programs', 'form-data; name="file"; filename="=?iso-8859-1?Q?Gr=F6=DFe_?= =?UTF-8?q?x.txt?="', 'Größe x.txt'],
  ['urllib3 1.x', `form-data; name="file"; filename*=utf-8''Gr%C3%B6%C3%9Fe.txt`, 'Größe.txt'],
  [
    'filename* first',
    `form-data; filename*=UTF-8'de'Gr%c3%b6%c3%9fe.txt; name=file; filename="wrong.txt"`,
    'Größe.txt',
  ],
  ['filename* in between', `form-data; name="file";filename*=UTF-8''right.txt ;filename=wrong.txt`, 'right.txt'],
  ['filename* in quotes', `form-data; name="file"; filename*="UTF-8''Gr%C3%B6%C3%9Fe.txt"; a="b"`, 'Größe.txt'],
  ['filename* in Latin-1', `form-data; name="a;b"; filename*=ISO-8859-1''Gr%F6%DFe.txt`, 'Größe.txt'],
  ['any case', 'Form-Data; NAME="file"; FileName="Größe.txt"', 'Größe.txt'],
  ['a folded line', 'form-data; name="file";\r\n filename="Größe.txt"', 'Größe.txt'],
  ['Internet Explorer', 'form-data; name="file"; filename="C:\\Users\\new\\Größe.txt"', 'Größe.txt'],
  ['a semicolon', 'form-data; name="file"; filename="a;b.txt"', 'a;b.txt'],
  [
    'percent signs of a name',
    'form-data; name="file"; filename="100%25 of%20it 50%F6.txt"',
    '100%25 of%20it 50%F6.txt',
  ],
  ['words that are none', 'form-data; name="file"; filename="=?x?=.txt"', '=x=.txt'],
  ['no name', 'form-data; name="file"; filename=""', 'file.txt'],
];

const latin1 = (disposition: string) => Buffer.from(disposition, 'latin1');

/** Names that cannot be read. */
const unreadable: readonly (readonly [what: string, disposition: string | Buffer, words: RegExp])[] = [
  [
    'curl of Windows, in Latin-1',
    latin1('form-data; name="file"; filename="Größe.txt"'),
    /^The name of the file must be UTF-8, or be sent as filename\* \(RFC 8187\)$/,
  ],
  ['filename* that is none', `form-data; name="file"; filename*=x.txt`, /^filename\* must be of the form UTF-8''name$/],
  ['filename* that is not UTF-8', `form-data; name="file"; filename*=UTF-8''%F6`, /cannot be decoded as UTF-8$/],
  ['an unknown charset', `form-data; name="file"; filename*=klingon''a; filename=a`, /decoded as klingon$/],
  ['an encoded word that is not UTF-8', 'form-data; name="file"; filename="=?utf-8?Q?=F6?="', /decoded as utf-8$/],
];

/** A form with one part. */
function formOf(disposition: string | Buffer, more = ''): Buffer {
  const bytes = Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: `);
  return Buffer.concat([bytes, Buffer.from(disposition), Buffer.from(`\r\n${more}\r\nhello\r\n--${BOUNDARY}--\r\n`)]);
}

testBoth('an uploaded file gets the name that was meant, however its client writes it', async (app) => {
  const { exchange } = await makeSender(app);
  const headers = [`apikey: ${app.key}`, 'ssotype: SSO', 'ssoid: ada'];
  const post = (body: Buffer, type = FORM_TYPE) =>
    exchange('POST /api/v1/files', [...headers, `Content-Type: ${type}`], body);
  for (const [client, disposition, words] of unreadable) {
    const sent = await post(formOf(disposition));
    const { code, field, message } = sent.json();
    assert.deepEqual([sent.status, code, field], [400, 'BAD_REQUEST', 'filename'], client);
    assert.match(message, words, client);
  }
  const base64 = await post(
    formOf('form-data; name="file"; filename="a.txt"', 'Content-Transfer-Encoding: base64\r\n'),
  );
  assert.deepEqual(
    [base64.status, base64.json().message],
    [400, 'Content-Transfer-Encoding must be binary, or be left out'],
  );
  assert.equal(
    (await post(formOf('form-data; name="file"; filename="a.txt"'), `${FORM_TYPE}; charset=latin1`)).status,
    415,
  );
  assert.ok(await isEmpty(app));
  for (const [client, disposition, name] of named) {
    const { status, body } = await post(formOf(disposition, 'Content-Transfer-Encoding: binary\r\n'));
    assert.deepEqual([status, JSON.parse(body).name], [201, name], client);
  }
  for (const type of [
    `Multipart/Form-Data; Boundary="${BOUNDARY}"`,
    `multipart/form-data;charset=UTF-8;boundary=${BOUNDARY} ;`,
  ]) {
    assert.equal((await post(formOf('form-data; name="file"; filename="a.txt"'), type)).status, 201, type);
  }
  assert.deepEqual(app.logged, []);
});
