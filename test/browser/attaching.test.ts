import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import sharp from 'sharp';
import { assertSound, findBarriers, launchBrowser, openSite } from '../support/browser.ts';
import { PNG } from '../support/files.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const small = { name: 'screen.png', mimeType: 'image/png', buffer: PNG };

/** A picture of noise, which does not get small by being compressed: larger than a form may be. */
async function makePhoto() {
  const raw = { width: 2_600, height: 1_300, channels: 3 } as const;
  const buffer = await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .blur(2)
    .jpeg({ quality: 100 })
    .toBuffer();
  assert.ok(buffer.length > 1_100_000, `${buffer.length}`);
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
}

const PASTE = `{
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.fromBase64('${PNG.toString('base64')}')], 'pasted.png', { type: 'image/png' }));
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}`;

test('pictures are chosen, pasted, taken out again, and posted with an idea and a comment', async (t) => {
  const site = await openSite(t, browser);
  const owner = await visitAsOwner(site);
  const { page, wrong } = owner;
  await page.goto('/b/acme');
  await page.locator('#new-idea').fill('Dark mode');
  await page.locator('.new-idea input[type=file]').setInputFiles([await makePhoto(), small]);
  const list = page.locator('.new-idea .attach-list');
  await list.getByRole('img', { name: 'photo.webp' }).waitFor();
  await list.getByRole('img', { name: 'screen.png' }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await list.getByRole('button', { name: 'Remove screen.png' }).click();
  await page.getByRole('button', { name: 'Post idea' }).last().click();
  await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
  assert.equal(await page.locator('.files img').count(), 1);
  assert.equal(await page.locator('.files img').getAttribute('alt'), 'photo.webp');

  await page.getByLabel('Your comment').fill('Like this:');
  await page.evaluate(PASTE);
  await page.locator('.attach-list').getByRole('img', { name: 'pasted.png' }).waitFor();
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('.comment .files img[alt="pasted.png"]').waitFor();
  assert.equal(await page.locator('.attach-list').count(), 0);
  await assertSound(owner, 'pictures');
  assert.deepEqual(wrong, []);
});

test('a broken picture is refused next to the text, which stays', async (t) => {
  const site = await openSite(t, browser);
  const { page } = await visitAsOwner(site);
  await page.goto('/b/acme');
  await page.locator('#new-idea').fill('Dark mode');
  const huge = {
    name: 'huge.png',
    mimeType: 'image/png',
    buffer: Buffer.concat([PNG.subarray(0, 40), randomBytes(1e6)]),
  };
  await page.locator('.new-idea input[type=file]').setInputFiles([huge]);
  await page.getByText('huge.png: Choose a file of up to 900 kB').waitFor();
  assert.equal(await page.locator('#new-idea').inputValue(), 'Dark mode');
});

test('without scripts pictures are sent with the form', async (t) => {
  const site = await openSite(t, browser);
  const { page } = await visitAsOwner(site, { javaScriptEnabled: false });
  await page.goto('/b/acme');
  await page.locator('#new-idea').fill('Dark mode');
  await page.getByLabel('Add pictures').setInputFiles([small, { ...small, name: 'other.png' }]);
  await page.getByRole('button', { name: 'Post idea' }).last().click();
  await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
  assert.equal(await page.locator('.files img').count(), 2);
});

test('visitors who are not signed in are offered no pictures', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const { page } = await site.visit('/b/acme');
  assert.equal(await page.getByLabel('Add pictures').count(), 0);
  await page.goto('/b/acme/posts/1');
  assert.equal(await page.getByLabel('Add pictures').count(), 0);
});
