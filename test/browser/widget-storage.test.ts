import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBoard } from '../../src/identity/board/board.ts';
import { openSite } from '../support/browser.ts';
import { publishNew } from '../support/changelog.ts';
import { PNG } from '../support/files.ts';
import { until } from '../support/until.ts';
import { launchRefusing, REFUSALS } from './storage-support.ts';
import { openHost, openSso, readCode, seenBy, untilTakenOver, visitHost } from './widget-support.ts';

for (const [how, refusal] of Object.entries(REFUSALS)) {
  const browser = await launchRefusing(refusal);

  /** A board with an idea and news, and a site on which its widget may appear. */
  const openBoth = async (t: Parameters<typeof openSite>[0]) => {
    const site = await openSite(t, browser);
    const host = await openHost(t, site.origin);
    await site.db.transaction((tx) => setBoard(tx, site.board.id, { widget_origins: host.origin }));
    await site.makePost('Dark mode');
    await publishNew(site, { title: 'Light mode' });
    return { site, host, sign: await openSso(site), url: `${site.origin}/b/acme` };
  };

  test(`a user of the site uses every view of the widget in a browser that ${how}`, async (t) => {
    const { host, sign, url } = await openBoth(t);
    host.pages.set('/', {
      script: `earshot('init', { url: '${url}' });
        earshot('identify', { jwt: '${sign({ id: 7, name: 'Vera Visitor' })}' }, (error) => seen.push(error || 'done'));`,
    });
    const { page, panel, wrong } = await visitHost(t, browser, `${host.origin}/`);
    await until('signed in', async () => (await seenBy(page)).includes('done'));
    await page.getByRole('button', { name: 'Feedback, 1 new changelog entry' }).click();
    await panel.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
    await panel.getByRole('button', { name: 'Vote for Dark mode, 1 vote', pressed: true }).waitFor();
    await panel.getByLabel('Your idea in one sentence').fill('Softer beds');
    await panel.getByLabel('Details (optional)').fill('With feathers');
    await panel.getByLabel('Add pictures').setInputFiles({ name: 'bed.png', mimeType: 'image/png', buffer: PNG });
    await panel.getByRole('img', { name: 'bed.png' }).waitFor();
    await panel.getByRole('button', { name: 'Post idea' }).click();
    await panel.getByRole('heading', { name: 'Softer beds', level: 1 }).waitFor();
    await panel.getByLabel('Your comment').fill('With two pillows');
    await panel.getByRole('button', { name: 'Comment', exact: true }).click();
    await panel.locator('.comment .prose', { hasText: 'With two pillows' }).waitFor();
    await panel.getByRole('link', { name: 'Reply' }).click();
    await panel.getByLabel('Your reply').fill('And one blanket');
    await panel.getByRole('button', { name: 'Send reply' }).click();
    await panel.locator('.replies .prose', { hasText: 'And one blanket' }).waitFor();
    await panel.getByRole('link', { name: 'Changelog 1', exact: true }).click();
    await panel.getByRole('heading', { name: 'Light mode' }).click();
    await panel.getByRole('link', { name: 'Ideas', exact: true }).click();
    await panel.getByRole('link', { name: 'Dark mode', exact: true }).waitFor();
    await panel.getByRole('contentinfo').getByText('Vera Visitor').waitFor();
    // What was seen is remembered while the page lasts.
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Feedback', exact: true }).click();
    assert.deepEqual(wrong, []);
  });

  test(`an anonymous visitor writes, votes and comments in the widget in a browser that ${how}`, async (t) => {
    const { site, host, url } = await openBoth(t);
    host.pages.set('/', { script: `earshot('init', { url: '${url}' }); earshot('open', { view: 'new' });` });
    const { page, panel, wrong } = await visitHost(t, browser, `${host.origin}/`);
    await untilTakenOver(panel);
    await panel.getByLabel('Your idea in one sentence').fill('Softer beds');
    await panel.getByLabel('Details (optional)').fill('What is kept');
    await panel.getByRole('link', { name: 'Dark mode', exact: true }).click();
    await panel.getByLabel('Your comment').fill('Me too');
    await panel.getByRole('link', { name: 'Ideas', exact: true }).click();
    assert.equal(await panel.getByLabel('Details (optional)').inputValue(), 'What is kept');
    await panel.getByRole('link', { name: 'Dark mode', exact: true }).click();
    assert.equal(await panel.getByLabel('Your comment').inputValue(), 'Me too');
    await panel.getByRole('button', { name: 'Comment', exact: true }).click();
    await panel.getByLabel('Email address').first().fill('ada@example.com');
    await panel.getByRole('button', { name: 'Continue' }).click();
    await panel.getByLabel('Code from the email').fill(await readCode(site));
    await panel.locator('.comment .prose', { hasText: 'Me too' }).waitFor();
    await page.evaluate("earshot('logout', () => seen.push('out'))");
    await until('signed out', async () => (await seenBy(page)).includes('out'));
    await panel.getByRole('link', { name: 'Ideas', exact: true }).click();
    await panel.getByRole('button', { name: 'Vote for Dark mode, 0 votes' }).click();
    await panel.getByRole('dialog').getByLabel('Email address').waitFor();
    await panel.getByRole('link', { name: 'Other ways' }).click();
    await panel.getByRole('heading', { name: 'Sign in to vote for “Dark mode”' }).waitFor();
    assert.deepEqual(wrong, []);
  });
}
