import assert from 'node:assert/strict';
import { PNG } from '../../test/support/files.ts';
import { signUp, testWeb } from '../../test/support/web.ts';

const UPLOADS = '/b/acme/uploads';
const picture = { field: 'file', filename: 'screen.png', bytes: PNG, type: 'image/png' };

testWeb('a picture is uploaded by who may write, and belongs to one idea of theirs', async (web) => {
  const [vera, otto] = [await signUp(web, 'Vera'), await signUp(web, 'Otto')];
  const { id, name, href } = (await vera.postForm(UPLOADS, [picture])).json();
  assert.equal(name, 'screen.png');
  assert.equal((await vera.get(href)).statusCode, 200);
  const post = (title: string, file: string) =>
    ({ title, comment: '', [`file:${file}`]: 'on' }) satisfies Record<string, string>;
  assert.equal((await otto.post('/b/acme?index', post('Stolen', id))).statusCode, 422);
  assert.equal((await vera.post('/b/acme?index', post('Own', id))).statusCode, 302);
  assert.equal((await vera.post('/b/acme?index', post('Again', id))).statusCode, 422);
  assert.equal((await vera.post('/b/acme?index', post('Broken', "x' or 1=1"))).statusCode, 422);
  assert.match((await vera.get('/b/acme/posts/1/own')).payload, /<img[^>]+alt="screen\.png"/);
  assert.equal((await web.ask('{ posts { totalCount } }')).posts.totalCount, 1);
});

testWeb('an upload is refused to strangers and blocked users, and if it is no file', async (web) => {
  assert.equal((await web.makeVisitor().postForm(UPLOADS, [picture])).statusCode, 403);
  const vera = await signUp(web, 'Vera');
  assert.equal((await vera.postForm(UPLOADS, [])).statusCode, 400);
  const broken = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const svg = await vera.postForm(UPLOADS, [{ ...picture, filename: 'a.svg', bytes: broken, type: 'image/svg+xml' }]);
  assert.equal(svg.statusCode, 200, 'as with the API, it is a file to download');
  await web.db.transaction((tx) =>
    tx.updateTable('users').set({ standing: 'BLOCKED' }).where('name', '=', 'Vera').execute(),
  );
  assert.equal((await vera.postForm(UPLOADS, [picture])).statusCode, 422);
});
