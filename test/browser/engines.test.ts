import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { seedBoard } from '../../src/operations/sample/seed.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { visitAsOwner } from './people.ts';
import { readCode } from './widget-support.ts';

const browser = await launchBrowser();

/**
 * What WebKit would show wrongly of the popovers and dialogs of a page, each of which is opened: it keeps what moves and has
 * `position-try-fallbacks` at the first frame, and makes a grid with the height `fit-content` as high as the window.
 */
const FIND_FAULTS = `(async () => {
  const faults = [];
  for (const element of document.querySelectorAll('[popover], dialog')) {
    const isPopover = element.popover !== null;
    if (isPopover) element.showPopover();
    else if (!element.open) element.showModal();
    await Promise.all(element.getAnimations().map((animation) => animation.finished));
    const style = getComputedStyle(element);
    const name = element.localName + '#' + element.id + '.' + element.className;
    const moves = style.animationName !== 'none' || style.transitionDuration.split(', ').some((time) => time !== '0s');
    if (style.opacity !== '1') faults.push(name + ' is transparent');
    if (moves && style.positionTryFallbacks !== 'none') faults.push(name + ' moves');
    const height = element.computedStyleMap().get('height').toString();
    if (style.display.includes('grid') && height === 'fit-content') faults.push(name + ' is a grid of the height fit-content');
    if (isPopover) element.hidePopover();
    else element.close();
  }
  return faults;
})()`;

test('what opens over a page is visible in every engine, and as high as its content', async (t) => {
  const site = await openSite(t, browser);
  const { db, clock, board } = site;
  await seedBoard({ db, clock, board, baseUrl: 'http://board.test' }, 5);
  const { page, wrong } = await visitAsOwner(site, { reducedMotion: 'no-preference' });
  for (const path of ['', '/posts/1', '/triage/all/1', '/changelog', '/settings', '/settings/statuses', '/people']) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(`/b/acme${path}`);
      assert.ok((await page.locator('[popover]').count()) > 0, path);
      assert.deepEqual(await page.evaluate<string[]>(FIND_FAULTS), [], `${path} ${viewport.width}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the popover of a vote is as high as its content', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const { page } = await site.visit('/b/acme', { viewport, reducedMotion: 'no-preference' });
    await page.getByRole('button', { name: 'Vote for Dark mode' }).click();
    const popover = page.getByRole('dialog', { name: 'Where can we reach you?' });
    await popover.waitFor();
    const height = await popover.evaluate((element) => element.computedStyleMap().get('height')?.toString());
    assert.notEqual(height, 'fit-content');
    assert.ok(((await popover.boundingBox())?.height ?? 1_000) < 400);
  }
});

/** The first and the last column with ink in a picture of a field, each from its own edge, without the field's border. */
async function measureInk(page: Page, field: Locator): Promise<[left: number, right: number]> {
  await page.evaluate('document.fonts.ready.then(() => {})');
  const picture = sharp(await field.screenshot({ caret: 'hide' })).greyscale();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const isInk = (x: number) =>
    Array.from({ length: info.height - 16 }, (_, y) => data[((y + 8) * info.width + x) * info.channels] ?? 255).some(
      (level) => level < 80,
    );
  const columns = Array.from({ length: info.width - 16 }, (_, x) => x + 8).filter(isInk);
  return [columns[0] ?? 0, info.width - 1 - (columns.at(-1) ?? 0)];
}

test('a code is seen whole in its field, and in its middle, whether it is typed or pasted', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dark mode');
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, wrong } = await site.visit('/b/acme', { permissions, colorScheme: 'light' });
  await page.getByRole('button', { name: 'Vote for Dark mode' }).click();
  await page.getByLabel('Email address').first().fill('zed@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('textbox', { name: 'Code from the email' }).waitFor();
  assert.match(await readCode(site), /^\d{6}$/);
  for (const path of [null, '/sign-in?next=%2Fb%2Facme%2Fcontinue']) {
    if (path) await page.goto(path);
    const field = page.getByRole('textbox', { name: 'Code from the email' });
    const check = async (how: string) => {
      await until(how, async () => (await field.inputValue()) === '880088');
      assert.equal(await field.evaluate((element) => element.scrollLeft), 0, how);
      const [left, right] = await measureInk(page, field);
      assert.ok(left > 8 && Math.abs(left - right) <= 3, `${how}: ${left} and ${right}`);
    };
    await field.click();
    await page.keyboard.type('880088');
    await check('typed');
    await field.fill('');
    await page.evaluate("navigator.clipboard.writeText('880088')");
    await page.keyboard.press('ControlOrMeta+v');
    await check('pasted');
  }
  assert.deepEqual(wrong, []);
});
