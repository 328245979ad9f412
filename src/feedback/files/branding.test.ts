import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { fetchFile, isEmpty, listBytes, PNG } from '../../../test/support/files.ts';
import { testWeb } from '../../../test/support/web.ts';
import { findUser } from '../../identity/users/users.ts';
import { changeBrandImage, MAX_BRAND_IMAGE_BYTES } from './branding.ts';
import { makeFileFolder } from './folder.ts';
import { measureImage } from './image.ts';
import { cleanFiles } from './removing.ts';

const JPEG = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffdb004300' +
    '03'.repeat(64) +
    'ffc0000b080003000501011100ffc40014000100000000000000000000000000000009ffda0008010100003f00549fffd9',
  'hex',
);
const GIF = Buffer.from(
  '47494638396101000200800000ffffff00000021f90401000000002c00000000010002000002024401003b',
  'hex',
);
const WEBP = Buffer.from('524946461a000000574542505650384c0d0000002f00000010071011118888fe0700', 'hex');

/** A picture of this size that is as short as it may be. */
function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(PNG);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

testBoth('a board’s logo is a whole picture of one of four kinds', async (app) => {
  const { db, clock, board, dataDir } = app;
  const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'ada' });
  if (!actor) throw new Error('ada is not there');
  const context = { db, clock, board, actor, baseUrl: 'http://board.test' };
  const folder = makeFileFolder(dataDir);
  const change = (bytes: Buffer | null) => changeBrandImage(context, folder, 'LOGO', bytes && { name: 'a', bytes });
  const none: [what: string, bytes: Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['a byte', Buffer.from([0xff])],
    ['the beginning of a PNG', PNG.subarray(0, -4)],
    ['the beginning of a JPEG', JPEG.subarray(0, -2)],
    ['the beginning of a GIF', GIF.subarray(0, -1)],
    ['the beginning of a WebP', WEBP.subarray(0, -1)],
    ['a script that begins like a GIF', Buffer.from('GIF89a/*\n*/=1;alert(1);/*******************')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML', Buffer.from('<!doctype html>')],
    ['no width', pngOf(0, 1)],
    ['no height', pngOf(1, 0)],
    ['too wide', pngOf(4_097, 1)],
    ['too high', pngOf(1, 4_097)],
    ['too many bytes', Buffer.concat([PNG, Buffer.alloc(MAX_BRAND_IMAGE_BYTES + 1 - PNG.length)])],
  ];
  for (const [what, bytes] of none) await assert.rejects(change(bytes), { message: /^An image must/ }, what);
  assert.ok(await isEmpty(app));
  assert.deepEqual([JPEG, GIF, WEBP].map(measureImage), [
    { width: 5, height: 3 },
    { width: 1, height: 2 },
    { width: 1, height: 1 },
  ]);
  const whole = Buffer.concat([PNG, Buffer.alloc(MAX_BRAND_IMAGE_BYTES - PNG.length)]);
  for (const bytes of [JPEG, GIF, WEBP, pngOf(4_096, 1), whole]) await change(bytes);

  const { logoUrl, faviconUrl } = await app.api.board({ logoUrl: true, faviconUrl: true });
  assert.ok(logoUrl);
  assert.equal(faviconUrl, null);
  const served = await fetchFile(app, logoUrl);
  assert.ok(served.rawPayload.equals(PNG), 'what stands behind its end is left out');
  assert.equal(served.headers['cache-control'], 'public, max-age=31536000, immutable');
  await cleanFiles({ db, clock, folder });
  assert.equal(listBytes(app).length, 1);
  clock.advance(10 * 86_400_000);
  await cleanFiles({ db, clock, folder });
  assert.equal(listBytes(app).length, 1);
  await change(null);
  assert.equal((await app.api.board({ logoUrl: true })).logoUrl, null);
  assert.equal((await fetchFile(app, logoUrl)).statusCode, 404);
  await cleanFiles({ db, clock, folder });
  assert.ok(await isEmpty(app));
});

testWeb('a logo and an icon are changed and taken away without scripts, by admins alone', async (web) => {
  const { makeMember, makeVisitor } = web;
  const owner = await makeMember('Olga', 'OWNER');
  const moderator = await makeMember('Mo', 'MODERATOR');
  const path = '/b/acme/settings/general';
  const form = (intent: string, bytes: Buffer | string, filename = 'logo.png') => [
    { field: 'intent', bytes: intent },
    { field: 'picture', filename, bytes },
  ];
  const page = async () => (await makeVisitor().get('/b/acme')).payload;
  assert.ok(!(await page()).includes('site-logo'));
  assert.equal((await moderator.postForm(path, form('logo', PNG))).statusCode, 403);
  const saved = await owner.postForm(path, form('logo', PNG));
  assert.equal(saved.statusCode, 302, saved.payload);
  const [, logo = ''] = /<img[^>]*class="site-logo"[^>]*src="([^"]+)"/.exec(await page()) ?? [];
  assert.match(logo, /^\/files\//);
  assert.deepEqual((await makeVisitor().get(logo)).rawPayload, PNG);
  assert.equal((await web.api.board({ logoUrl: true })).logoUrl, `http://board.test${logo}`);

  const refused = await owner.postForm(path, form('logo', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg'));
  assert.equal(refused.statusCode, 422);
  assert.ok(refused.payload.includes('must be a PNG, JPEG, GIF or WebP file'));
  assert.equal((await owner.postForm(path, form('logo', '', ''))).statusCode, 422);
  assert.ok((await page()).includes(logo));

  assert.equal((await owner.postForm(path, form('icon', PNG, 'icon.png'))).statusCode, 302);
  assert.match(await page(), /<link rel="icon" href="\/files\//);
  assert.equal((await owner.post(path, { intent: 'logo', remove: 'on' })).statusCode, 302);
  assert.equal((await owner.post(path, { intent: 'icon', remove: 'on' })).statusCode, 302);
  const without = await page();
  assert.ok(!without.includes('site-logo') && without.includes('href="/icon.svg"'));
});

testWeb('the page of a post shows pictures and names what can be downloaded', async (web) => {
  const { upload } = await import('../../../test/support/files.ts');
  const picture = await upload(web, { filename: 'screen.png', bytes: PNG });
  const log = await upload(web, { filename: '"><script>alert(1)</script>.log', bytes: 'x'.repeat(2_048) });
  const createPost = await web.api.createPost({ title: 'Broken', comment: 'Look.', files: [picture.id] });
  await web.api.createComment({ postId: createPost.id, text: 'So.', files: [log.id] });
  const { payload } = await web.makeVisitor().get('/b/acme/posts/1');
  const pathOf = (url: string) => new URL(url).pathname;
  assert.ok(payload.includes(`<img src="${pathOf(picture.url)}" alt="screen.png" loading="lazy"`), payload);
  assert.ok(payload.includes(`<a href="${pathOf(log.url).replaceAll("'", '&#x27;')}"`), payload);
  assert.ok(payload.includes('2.05 kB') && !payload.includes('<script>alert'));
});
