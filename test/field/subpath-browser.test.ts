import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { setBoard } from '../../src/identity/board/board.ts';
import { FIRST_SETUP_STEP } from '../../src/identity/settings/settings.ts';
import { makeSetupLink } from '../../src/identity/team/inviting.ts';
import { PASSWORD, setUpBoard, signIn } from '../browser/people.ts';
import { openHost, openSso, seenBy, visitHost } from '../browser/widget-support.ts';
import { launchBrowser, visitOrigin } from '../support/browser.ts';
import { publishNew } from '../support/changelog.ts';
import { PNG } from '../support/files.ts';
import { openBelow, type SubpathSite } from '../support/subpath.ts';
import { until } from '../support/until.ts';

const PATH = '/our/feedback';
const browser = await launchBrowser();
const picture = { name: 'screen.png', mimeType: 'image/png', buffer: PNG };

/** Requests of a page that failed, and answers that say so. */
function watchRequests(page: Page, wrong: string[]): void {
  page.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  // What the browser itself gives up, such as a picture of a page that it leaves, is no fault.
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      wrong.push(`${request.failure()?.errorText} ${request.url()}`);
  });
}

async function openAsOwner(t: TestContext, site: SubpathSite) {
  const { url, db, clock, board } = site;
  await db.transaction((tx) => setBoard(tx, board.id, { setup_step: FIRST_SETUP_STEP }));
  const link = await makeSetupLink({ db, clock, baseUrl: url, board });
  const { page, wrong } = await visitOrigin(t, browser, new URL(url).origin, new URL(link).pathname);
  watchRequests(page, wrong);
  await setUpBoard(page);
  return { page, wrong };
}

for (const [engine, way] of [['sqlite', 'keeps'] as const, ['postgres', 'strips'] as const]) {
  test(`a board below a path that a proxy ${way} is set up and used in a browser [${engine}]`, async (t) => {
    const site = await openBelow(t, engine, way, PATH);
    const { url } = site;
    const { page, wrong } = await openAsOwner(t, site);
    const place = () =>
      page
        .url()
        .replace(url, '')
        .replace(/[?#].*/, '');

    await page.goto(`${url}/b/acme`);
    await page.locator('#new-idea').fill('Dark mode');
    await page.locator('.new-idea input[type=file]').setInputFiles([picture]);
    await page.locator('.new-idea .attach-list').getByRole('img', { name: 'screen.png' }).waitFor();
    await page.getByRole('button', { name: 'Post idea' }).last().click();
    await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
    assert.equal(place(), '/b/acme/posts/1/dark-mode');
    const image = page.locator('.files img');
    await until('the picture is there', () =>
      image.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    await page.locator('.files a').click();
    await page.locator('dialog.picture-viewer img').waitFor();
    await page.keyboard.press('Escape');

    const area = page.getByLabel('Your comment');
    await area.fill('With a **switch**');
    await area.press('End');
    await area.pressSequentially(' @ol');
    await page.getByRole('option', { name: 'Olga Owner' }).or(page.getByText('Olga Owner').last()).first().waitFor();
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comment .prose strong', { hasText: 'switch' }).waitFor();

    // From here on the document stays: pages change without being loaded.
    await page.evaluate('window.stays = true');
    await page.getByRole('link', { name: 'Roadmap' }).first().click();
    await page.getByRole('heading', { name: 'Roadmap', level: 1 }).waitFor();
    assert.equal(place(), '/b/acme/roadmap');
    await page.goBack();
    await page.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
    assert.equal(place(), '/b/acme/posts/1/dark-mode');
    const vote = page.getByRole('button', { name: /Dark mode/ }).first();
    const before = await vote.getAttribute('aria-pressed');
    await vote.click();
    await until('the vote is shown', async () => (await vote.getAttribute('aria-pressed')) !== before);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('General');
    await page.keyboard.press('Enter');
    await page.getByLabel('Board name').fill('Acme Ideas');
    await page.getByRole('button', { name: 'Save' }).first().click();
    const name = page.locator('.site-name');
    await name.getByText('Acme Ideas').waitFor();
    assert.equal(await page.evaluate('window.stays'), true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await name.getByText('Ideas of Acme').waitFor();
    assert.equal(place(), '/b/acme/settings/general');

    await page.goto(`${url}/b/acme`);
    await page.getByRole('button', { name: /Olga Owner/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await signIn(page, 'olga@example.com', PASSWORD);
    await page.getByRole('button', { name: /Olga Owner/ }).waitFor();
    const cookies = await page.context().cookies();
    assert.deepEqual([...new Set(cookies.map(({ path }) => path))], [PATH]);

    for (const tool of ['playground', 'sandbox']) {
      await page.goto(`${url}/api/v1/${tool}`);
      await page.locator('.graphiql-container').waitFor();
    }
    await page.goto(`${url}/b/acme/settings/widget`);
    await page.frameLocator('iframe').getByRole('link', { name: 'Dark mode' }).waitFor();
    assert.deepEqual([wrong, site.wrong], [[], []]);
  });

  test(`the widget of a board below a path that a proxy ${way} works on another site [${engine}]`, async (t) => {
    const site = await openBelow(t, engine, way, PATH);
    const host = await openHost(t, site.url);
    await site.db.transaction((tx) => setBoard(tx, site.board.id, { widget_origins: host.origin }));
    await site.makePost('Dark mode');
    await publishNew(site, { title: 'Light mode' });
    const sign = await openSso({ ...site, origin: site.url, visit: () => assert.fail() });
    const jwt = sign({ id: 7, name: 'Vera Visitor' });
    host.pages.set('/', {
      body: `<a id="idea" data-earshot="panel" href="${site.url}/b/acme/posts/1">Idea</a>
        <a id="door" data-earshot href="${site.url}/b/acme/roadmap">Board</a>
        <a id="evil" data-earshot href="${new URL(site.url).origin}/other/b/acme">Evil</a>`,
      script: `earshot('init', { url: '${site.url}/b/acme' }); earshot('identify', { jwt: '${jwt}' }, (error) => seen.push(error || 'done'));`,
    });
    const { page, panel, wrong } = await visitHost(t, browser, `${host.origin}/`);
    watchRequests(page, wrong);
    await until('signed in', async () => (await seenBy(page)).includes('done'));
    await page.getByRole('button', { name: /^Feedback/ }).click();
    await panel.getByText('Vera Visitor').waitFor();
    await panel.getByRole('button', { name: 'Dark mode' }).click();
    const voters = site.db.read
      .selectFrom('votes')
      .innerJoin('users', 'users.id', 'votes.user_id')
      .select('users.name');
    await until('voted', async () => (await voters.execute()).some(({ name }) => name === 'Vera Visitor'));
    await panel.getByLabel('Your idea in one sentence').fill('Softer beds');
    await panel.getByRole('button', { name: 'Post idea' }).click();
    await panel.getByRole('heading', { name: 'Softer beds', level: 1 }).waitFor();
    await panel
      .getByRole('link', { name: /^Changelog/ })
      .first()
      .click();
    await panel.getByRole('heading', { name: 'Light mode' }).waitFor();
    const whole = await panel
      .getByRole('link', { name: 'Open the whole board' })
      .or(panel.locator('.embed-foot a'))
      .first()
      .getAttribute('href');
    assert.equal(whole, `${PATH}/b/acme`);
    await page.locator('#idea').click();
    await panel.getByRole('heading', { name: 'Dark mode', level: 1 }).waitFor();
    assert.deepEqual(site.wrong, []);

    // No token goes to what else is on the host.
    const asked = page.waitForRequest(
      (request) => request.isNavigationRequest() && request.frame() === page.mainFrame(),
    );
    await page.locator('#evil').click();
    assert.equal((await asked).url(), `${new URL(site.url).origin}/other/b/acme`);
    assert.deepEqual(site.wrong.splice(0), ['GET /other/b/acme']);
    await page.goBack();
    await until('signed in again', async () => (await seenBy(page)).includes('done'));
    await page.locator('#door').click();
    await page.waitForURL(`${site.url}/b/acme/roadmap`);
    await page.getByText('Vera Visitor').first().waitFor();
    assert.deepEqual([wrong.filter((line) => !line.includes('/other/')), site.wrong], [[], []]);
  });
}
