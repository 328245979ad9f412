import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSound, launchBrowser, openSite } from '../support/browser.ts';
import { upload } from '../support/files.ts';
import {
  JPEG,
  makeChunk,
  makeExifOf,
  makePng,
  makeSegment,
  makeWebpChunk,
  WEBP,
  withSegments,
  withWebpChunks,
} from '../support/pictures.ts';

const browser = await launchBrowser();

test('cleaned pictures are shown, in the orientation of their cameras', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page } = await site.visit('/b/acme');
  const exif = makeExifOf(6, 'Munich');
  const pictures = {
    JPEG: withSegments(JPEG, [makeSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif]))]),
    PNG: makePng(3, 2, [makeChunk('eXIf', exif)]),
    WebP: withWebpChunks(WEBP, [makeWebpChunk('EXIF', exif)]),
  };
  const shownAs = (url: string) =>
    page.evaluate<number[]>(`(async () => {
      const image = new Image();
      image.src = ${JSON.stringify(url)};
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    })()`);
  for (const [kind, bytes] of Object.entries(pictures)) {
    const sent = await shownAs(`data:image/${kind.toLowerCase()};base64,${bytes.toString('base64')}`);
    const { url, size } = await upload(site, { filename: 'photo', bytes });
    assert.ok(size < bytes.length, kind);
    assert.deepEqual(await shownAs(new URL(url).pathname), sent, kind);
    if (kind === 'JPEG') assert.deepEqual(sent, [2, 3]);
  }
});

test('a picture opens large over the page, by pointer and keys, and as a file without scripts', async (t) => {
  const site = await openSite(t, browser);
  const files = [
    await upload(site, { filename: 'wide.png', bytes: makePng(900, 30) }),
    await upload(site, { filename: 'high.png', bytes: makePng(30, 900) }),
  ];
  await site.api.createPost({ title: 'Dark mode', files: files.map(({ id }) => id) });
  const watched = await site.visit('/b/acme/posts/1/dark-mode', { viewport: { width: 390, height: 600 } });
  const { page, wrong } = watched;
  const [viewer, link] = [page.locator('dialog.picture-viewer'), page.locator('.files a').first()];
  await link.click();
  await viewer.getByRole('img', { name: 'wide.png' }).waitFor();
  await assertSound(watched, 'a picture');
  assert.equal(await viewer.getByRole('status').textContent(), '1 / 2');
  await page.keyboard.press('ArrowRight');
  const high = viewer.getByRole('img', { name: 'high.png' });
  await high.waitFor();
  const box = await high.boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 600, JSON.stringify(box));
  await viewer.getByRole('button', { name: 'Next picture' }).click();
  await viewer.getByRole('img', { name: 'wide.png' }).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  assert.ok(await link.evaluate((element) => element === document.activeElement));
  await page.keyboard.press('Enter');
  await viewer.getByRole('button', { name: 'Close' }).click();
  await viewer.waitFor({ state: 'detached' });
  assert.deepEqual(wrong, []);
  const plain = await site.visit('/b/acme/posts/1/dark-mode', { javaScriptEnabled: false });
  await plain.page.locator('.files a').first().click();
  await plain.page.waitForURL(/wide\.png$/);
});
