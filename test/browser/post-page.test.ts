import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { setBoard } from '../../src/identity/board/board.ts';
import { assertSound, findBarriers, launchBrowser, openSite, type Site } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { visitAsOwner } from './people.ts';

const browser = await launchBrowser();
const PHONE = { viewport: { width: 390, height: 844 } };

/** An idea with comments, at an address of its own. */
async function discuss(t: TestContext, texts: readonly string[]): Promise<Site & { post: string; comments: string[] }> {
  const site = await openSite(t, browser);
  const post = await site.makePost('Dark mode');
  const comments: string[] = [];
  for (const text of texts) comments.push((await site.api.createComment({ postId: post, text }))?.id ?? '');
  return { ...site, post, comments };
}

async function boxOf(what: Locator) {
  const box = await what.boundingBox();
  assert.ok(box, 'it is not shown');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

test('what readers can do with an idea stays in sight beside it, and on a phone stands below the title', async (t) => {
  const site = await discuss(
    t,
    Array.from({ length: 30 }, (_, n) => `Thought ${n}`),
  );
  const watched = await visitAsOwner(site, { viewport: { width: 1440, height: 420 } });
  const { page } = watched;
  await page.goto('/b/acme/posts/1');
  const share = page.getByRole('button', { name: 'Share', exact: true });
  const remove = page.getByRole('button', { name: 'Delete idea' });
  await page.getByText('Thought 29').scrollIntoViewIfNeeded();
  // The panel is taller than the window, and moves by itself.
  for (const control of [share, remove]) {
    await control.scrollIntoViewIfNeeded();
    const { y, bottom } = await boxOf(control);
    assert.ok(y > 56 && bottom < 420, `from ${y} to ${bottom}`);
    assert.ok((await boxOf(page.getByText('Thought 29'))).y < 420, 'the page has moved');
  }
  await page.setViewportSize(PHONE.viewport);
  await page.evaluate('scrollTo(0, 0)');
  const line = page.locator('.acts-line');
  assert.deepEqual(await line.getByRole('listitem').allTextContents(), ['Follow', 'Share', '0 votes']);
  for (const name of ['Follow', 'Share']) {
    assert.equal(await page.getByRole('button', { name, exact: true }).count(), 1, name);
  }
  const title = await boxOf(page.getByRole('heading', { name: 'Dark mode' }));
  const { y, height } = await boxOf(line);
  assert.ok(y > title.bottom && y < title.bottom + 40 && height < 60, `${height} px at ${y}, below ${title.bottom}`);
  await assertSound(watched, 'an idea on a phone');
  await line.getByRole('button', { name: 'Follow' }).click();
  await line.getByRole('button', { name: 'Following' }).waitFor();
  await line.getByRole('link', { name: '0 votes' }).click();
  await page.getByRole('heading', { name: '0 votes' }).waitFor();
  assert.ok((await boxOf(page.getByRole('heading', { name: '0 votes' }))).y < 844);

  const plain = await site.visit('/b/acme/posts/1', { ...PHONE, javaScriptEnabled: false });
  await plain.page.getByRole('button', { name: 'Share', exact: true }).click();
  await plain.page.getByLabel('Link to this idea').waitFor();
});

test('a comment takes the room of its words, and offers its actions when pointed at, and always on touch', async (t) => {
  const site = await discuss(t, ['+1', 'Me too']);
  const watched = await visitAsOwner(site);
  const { page } = watched;
  await page.goto('/b/acme/posts/1');
  const comment = page.locator(`#comment-${site.comments[0]}`);
  const acts = comment.locator('.acts');
  const shown = (opacity: string, what = acts) =>
    until(
      `opacity ${opacity}`,
      async () => (await what.evaluate((node) => getComputedStyle(node).opacity)) === opacity,
    );
  const { height } = await boxOf(comment);
  assert.ok(height <= 80, `${height} px`);
  await page.mouse.move(0, 0);
  await shown('0');
  await assertSound(watched, 'quiet comments');
  await comment.hover();
  await shown('1');
  const reply = await boxOf(comment.getByRole('link', { name: 'Reply' }));
  assert.ok(reply.bottom <= (await boxOf(page.getByText('Me too'))).y, 'it covers the next comment');
  await assertSound(watched, 'a comment that is pointed at');
  await page.mouse.move(0, 0);
  await comment.getByRole('link', { name: 'Reply' }).focus();
  await shown('1');

  await site.api.addCommentReaction({ id: site.comments[0] ?? '', reaction: 'HEART' });
  await page.reload();
  await page.mouse.move(0, 0);
  await shown('1');
  const storageState = await page.context().storageState();
  const touch = await site.visit('/b/acme/posts/1', { ...PHONE, hasTouch: true, isMobile: true, storageState });
  await shown('1', touch.page.locator(`#comment-${site.comments[1]} .acts`));
});

test('the menu of reactions stays in the column of its comment', async (t) => {
  const site = await discuss(t, ['+1']);
  await site.api.createComment({ postId: site.post, text: 'Me too', parentId: site.comments[0] ?? '' });
  const { page } = await visitAsOwner(site);
  for (const locale of ['en', 'ar']) {
    await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale }));
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto('/b/acme/posts/1');
      const column = await boxOf(page.locator('.story'));
      for (const n of [0, 1]) {
        const comment = page.locator('.comment').nth(n);
        await comment.hover();
        await comment.locator('.react[popovertarget]').click();
        const menu = await boxOf(comment.locator('.emoji'));
        const place = `${menu.x} to ${menu.right} in ${column.x} to ${column.right}, ${locale}, ${width}`;
        assert.ok(menu.x >= column.x && menu.right <= column.right, place);
        await page.keyboard.press('Escape');
      }
    }
  }
});

test('the field of a reply takes the focus, keeps clear of its neighbors, and gives the focus back', async (t) => {
  const site = await discuss(t, ['+1', 'Me too']);
  const watched = await visitAsOwner(site);
  const { page } = watched;
  await page.goto('/b/acme/posts/1');
  const reply = page.getByRole('link', { name: 'Reply' }).first();
  await reply.click();
  await page.keyboard.type('Thanks');
  assert.equal(await page.getByLabel('Your reply').inputValue(), 'Thanks');
  const form = await boxOf(page.locator('.reply-form form'));
  const [before, after] = [await boxOf(page.getByText('+1')), await boxOf(page.getByText('Me too'))];
  assert.ok(form.y - before.bottom >= 16 && after.y - form.bottom >= 32, `${form.y} to ${form.bottom}`);
  // One card: the field, its tools, and the button in their line.
  const [send, tools] = [
    await boxOf(page.getByRole('button', { name: 'Send reply' })),
    await boxOf(page.locator('.reply-form .markdown-tools')),
  ];
  assert.ok(send.y < tools.bottom && send.bottom < form.bottom, 'the button is below the tools');
  await assertSound(watched, 'a reply');
  await page.getByRole('link', { name: 'Cancel' }).click();
  assert.match(await page.evaluate<string>('document.activeElement.textContent'), /^Reply/);
});

test('code and tables that are too wide can be reached and moved by the keyboard, others need not be', async (t) => {
  const site = await discuss(t, [`\`\`\`\n${'wide '.repeat(100)}\n\`\`\``, '```\nnarrow\n```']);
  const { page } = await site.visit('/b/acme/posts/1');
  const code = page.locator('pre');
  assert.equal(await code.first().getAttribute('tabindex'), '0');
  assert.equal(await code.last().getAttribute('tabindex'), null);
  assert.deepEqual(await findBarriers(page, { rules: ['scrollable-region-focusable'] }), []);
});

test('the line below a pinned idea stays one line, and lanes without room go on to the end of the window', async (t) => {
  const site = await discuss(t, ['+1']);
  await site.api.updatePost({ id: site.post, isPinned: true });
  const statuses = await site.api.listStatuses({ id: true });
  await site.api.changePostStatus({ postId: site.post, statusType: 'CUSTOM', statusId: statuses[2]?.id ?? '' });
  await site.db.transaction((tx) => setBoard(tx, site.board.id, { locale: 'de' }));
  const look = async (path: string, options: BrowserContextOptions) => (await site.visit(path, options)).page;
  for (const [path, width] of [
    ['/b/acme', 390],
    ['/b/acme', 320],
    ['/embed/b/acme', 400],
  ] as const) {
    const page = await look(path, { viewport: { width, height: 700 } });
    const { height, right } = await boxOf(page.locator('.post-row .meta'));
    assert.ok(height <= 24 && right <= width, `${height} px high, to ${right} of ${width}, ${path}`);
  }
  const roadmap = await look('/b/acme/roadmap', { viewport: { width: 768, height: 700 } });
  const last = await boxOf(roadmap.locator('.lane').nth(2));
  const lanes = await boxOf(roadmap.locator('.lanes'));
  assert.ok(
    last.right <= 768 - 32 || lanes.right === 768,
    `the lane ends at ${last.right}, the lanes at ${lanes.right}`,
  );
});

test('a status that others have set comes into the form of an open page, and is not set back by it', async (t) => {
  const site = await openSite(t, browser);
  const postId = await site.makePost('Dark mode');
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme/posts/1');
  await site.api.changePostStatus({ postId, statusType: 'COMPLETED' });
  await page.locator('#vote-1').click();
  await page.getByRole('button', { name: 'Status: Completed. Change it' }).first().click();
  await page.getByLabel('Expected').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Change status', exact: true }).click();
  await page.getByText('Saved').first().waitFor();
  const post = await site.api.postByNumber({ number: 1 }, { status: { name: true }, expected: true });
  assert.equal(post?.status.name, 'Completed');
  assert.ok(post?.expected);
  assert.deepEqual(wrong, []);
});
