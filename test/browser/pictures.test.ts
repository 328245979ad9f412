import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, openSite } from '../support/browser.ts';
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

test('pictures that were cleaned are shown, and turned as their cameras said', async (t) => {
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
