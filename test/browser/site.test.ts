import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seedBoard } from '../../src/operations/sample/seed.ts';
import { makeTestApp } from '../support/app.ts';
import { assertSound, launchBrowser, visitOrigin } from '../support/browser.ts';
import { publishNew } from '../support/changelog.ts';
import { PNG, upload } from '../support/files.ts';
import { assertLinksResolve, makeSiteFolder, serveFolder, writeSite } from '../support/site.ts';

const browser = await launchBrowser();
const BELOW = '/some/folder/';
const pictures = process.env.SCREENSHOTS;
const sizes = { phone: { width: 320, height: 640 }, desktop: { width: 1280, height: 800 } } as const;

test('an exported board is sound on any file server, below any path', async (t) => {
  const app = await makeTestApp(t, 'sqlite', { web: true, isStatic: true });
  const { api, db, clock, board } = app;
  await seedBoard({ db, clock, board, baseUrl: 'http://board.test' }, 130);
  const picture = await upload(app, { filename: 'shot.png', bytes: PNG });
  const id = await app.makePost('Dark mode');
  const createComment = await api.createComment({ postId: id, text: 'Like this', files: [picture.id] });
  await api.addCommentReaction({ id: createComment.id, reaction: 'PARTY' });
  await api.createComment({ postId: id, text: 'We will.', type: 'OFFICIAL' });
  const entry = await publishNew(app, { title: 'Dark mode', text: 'It is there.', postIds: [id] });
  await api.addChangelogReaction({ id: entry, reaction: 'HEART' });
  const folder = makeSiteFolder(t);
  await writeSite(app, { folder });
  assertLinksResolve(folder);
  const origin = await serveFolder(t, folder, BELOW);
  const visitor = await visitOrigin(t, browser, origin, BELOW);
  const { page, wrong } = visitor;
  page.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  const paths = ['', 'page-2/', 'posts/131/', 'roadmap/', 'changelog/'];
  for (const path of [...paths, 'changelog/1/']) {
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await page.goto(`${BELOW}${path}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.evaluate('document.fonts.ready.then(() => {})');
        const rules = colorScheme === 'dark' ? { rules: ['color-contrast'] } : {};
        await assertSound(visitor, `${path || 'home'}, ${size}, ${colorScheme}`, rules);
        if (!pictures) continue;
        mkdirSync(pictures, { recursive: true });
        const name = `site-${path.replaceAll('/', '-') || 'home-'}${colorScheme}-${size}.png`;
        await page.screenshot({ path: join(pictures, name), fullPage: true });
      }
    }
  }
});

test('visitors find their way through an exported board, from files alone as well', async (t) => {
  const app = await makeTestApp(t, 'sqlite', { web: true, isStatic: true });
  const { db, clock, board } = app;
  await seedBoard({ db, clock, board, baseUrl: 'http://board.test' }, 110);
  const folder = makeSiteFolder(t);
  await writeSite(app, { folder });
  for (const start of [`${await serveFolder(t, folder, BELOW)}${BELOW}`, `file://${folder}/index.html`]) {
    const { page } = await visitOrigin(t, browser, new URL(start).origin, start);
    await page.getByRole('link', { name: 'Roadmap' }).first().click();
    await page.getByRole('heading', { name: 'Roadmap', level: 1 }).waitFor();
    const idea = page.locator('.post-title a').first();
    const title = await idea.innerText();
    await idea.click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    assert.equal(await page.getByRole('button', { name: /Vote/ }).count(), 0);
    await page.getByRole('link', { name: 'All ideas' }).first().click();
    await page.locator('.post-row').first().waitFor();
  }
});
