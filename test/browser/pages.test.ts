import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { seedBoard } from '../../src/operations/sample/seed.ts';
import { TrackerWorker } from '../../src/operations/trackers/worker.ts';
import { settingsPages } from '../../web/parts/team/settings-pages.ts';
import { assertSound, openSite, type Site, type Watched } from '../support/browser.ts';
import { makeEntry, publishNew } from '../support/changelog.ts';
import { PNG, upload } from '../support/files.ts';
import { GithubProject } from '../support/github-project.ts';
import { useKey } from '../support/key-usage.ts';
import { register } from '../support/oauth-agent.ts';
import { PROJECT_TOKEN, startProject } from '../support/played-project.ts';
import { isLong } from '../support/rounds.ts';
import { makeTestSender } from '../support/sender.ts';
import { askForLink, openSetup, PASSWORD, visitAsOwner } from './people.ts';
import { launchRefusing, REFUSALS } from './storage-support.ts';
import { LIST, withWebhooks } from './webhooks-support.ts';

/** Every page that is looked at here works in a browser that denies storage, too. */
const browser = await launchRefusing(REFUSALS['denies storage']);
/** Where pictures of every page go, for people to look at; without it none are made. */
const pictures = process.env.SCREENSHOTS;

const sizes = { phone: { width: 320, height: 640 }, desktop: { width: 1280, height: 800 } } as const;
/** Each size and each theme once; the long run has them in every combination. */
const looks = [
  ...(isLong || pictures
    ? ([
        ['phone', 'light'],
        ['desktop', 'dark'],
      ] as const)
    : []),
  ['phone', 'dark'],
  ['desktop', 'light'],
] as const;

/** Looks at a page in both sizes and both themes. */
async function look(watched: Watched, path: string | null, name: string): Promise<void> {
  const { page } = watched;
  if (path) await page.goto(path);
  for (const [size, theme] of looks) {
    await page.setViewportSize(sizes[size]);
    // Colors that still change from one theme to the other are of neither.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.evaluate('document.fonts.ready.then(() => {})');
    await assertSound(watched, `${name}, ${theme}, ${size}`);
    await takePicture(page, `${name}-${theme}-${size}`);
  }
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

async function fill(site: Site): Promise<void> {
  const { db, clock, board } = site;
  await seedBoard({ db, clock, board, baseUrl: 'http://board.test' }, 30);
}

test('what an anonymous visitor sees is sound', async (t) => {
  const site = await openSite(t, browser);
  const visitor = await site.visit('/');
  await look(visitor, '/b/acme', 'board-empty');
  await fill(site);
  await look(visitor, '/b/acme?sort=top', 'board');
  await look(visitor, '/b/acme?sort=top&status=planned&q=export', 'board-filtered');
  await look(visitor, '/b/acme/posts/2', 'post');
  await look(visitor, '/b/acme/roadmap', 'roadmap');
  await look(visitor, '/b/acme/changelog', 'changelog');
  await look(visitor, '/embed/b/acme', 'widget');
  await look(visitor, '/embed/b/acme/posts/2', 'widget-post');
  await look(visitor, '/embed/b/acme/elsewhere', 'widget-elsewhere');
  await look(visitor, '/nowhere', 'not-found');
  await look(visitor, '/sign-in', 'sign-in');
  await look(visitor, '/sign-in/code', 'sign-in-code');
  await look(visitor, '/sign-in/link/token', 'sign-in-link');
  await look(visitor, '/reset-password', 'reset-password');
  await look(visitor, '/reset-password/token', 'reset-password-link');
  await look(visitor, '/change-email/token', 'change-email');
  await look(visitor, await openSetup(site), 'setup-1');
  await look(visitor, '/join/nothing', 'join-useless');
});

test('words of any length fit', async (t) => {
  const site = await openSite(t, browser);
  const owner = await visitAsOwner(site, { viewport: sizes.phone });
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(5);
  const id = await site.makePost(word);
  const tag = await site.api.createTag({ name: `${'T'.repeat(40)}` });
  await site.api.updatePost({ id, tagIds: [tag.id] });
  await site.api.changePostModerationStatus({ id, moderationStatus: 'FLAGGED' });
  const text = `| a | b |\n|---|---|\n| ${word} | ${word} |`;
  await site.api.createComment({ postId: id, text });
  await publishNew(site, { title: word, text, postIds: [id] });
  const long = `?q=no-${'x'.repeat(80)}`;
  for (const path of ['', `?q=no${word}`, long, '/posts/1', '/changelog', '/moderation'].map(
    (path) => `/b/acme${path}`,
  )) {
    await owner.page.goto(path);
    await assertSound(owner, path);
  }
});

test('what an owner sees is sound', async (t) => {
  const site = await openSite(t, browser);
  const owner = await visitAsOwner(site);
  for (const { path } of settingsPages) {
    await look(owner, `/b/acme/settings${path}`, path.slice(1) || 'settings');
  }
  await look(owner, '/b/acme/settings/search?find=address', 'settings-search');
  await look(owner, '/b/acme/settings/apis/new', 'api-new');
  await look(owner, '/b/acme/settings/apis/publishable/new', 'publishable-new');
  await look(owner, `/b/acme/settings/apis/${await useKey(site)}`, 'api');
  const { path } = await register(site, 'https://assistant.example/callback', 'Claude');
  await look(owner, path, 'connect');
  await owner.page.goto('/b/acme/settings/account');
  const factor = owner.page.getByRole('region', { name: 'Two-factor authentication' });
  await factor.getByLabel('Current password').fill(PASSWORD);
  await factor.getByRole('button', { name: 'Set up' }).click();
  await owner.page.getByRole('img', { name: 'QR code' }).waitFor();
  await look(owner, null, 'account-factor');
  await owner.page.goto('/b/acme/settings/apis/new');
  await owner.page.getByLabel('Name').fill('Website');
  await owner.page.getByRole('button', { name: 'Create key' }).click();
  await owner.page.getByText("I've saved it").waitFor();
  await look(owner, null, 'api-made');
  await openSetup(site);
  await look(owner, '/b/acme/setup/2', 'setup-2');
  await site.db.transaction((tx) => tx.updateTable('boards').set({ setup_step: 5 }).execute());
  await look(owner, '/b/acme/setup/3', 'setup-3');
  await look(owner, '/b/acme/setup/4', 'setup-4');
  await look(owner, '/b/acme/setup/5', 'setup-5');
  await fill(site);
  await owner.page.goto('/b/acme/settings/export');
  await owner.page.getByRole('button', { name: 'Create link' }).click();
  await owner.page.getByText('Copy this link now').waitFor();
  await look(owner, null, 'export');
});

test('what the team sees of ideas is sound', async (t) => {
  const site = await openSite(t, browser);
  const owner = await visitAsOwner(site);
  const { page } = owner;
  const id = await site.makePost('Export to CSV with filters, for more than a few rows at once');
  const [, tag] = [await fill(site), await site.ask('mutation { createTag(name: "Export") { id } }')];
  await site.api.updatePost({ id, tagIds: [tag.createTag.id] });
  await page.goto('/b/acme/posts/1');
  for (const [text, kind] of [
    ['It would save us an **hour** every Monday.', 'Reply'],
    ['We begin next month, with comments and votes as columns.', 'Official answer'],
    ['Ask the bank first.', 'Internal note'],
  ] as const) {
    const isNote = kind === 'Internal note';
    if (isNote) await page.getByText(kind, { exact: true }).click();
    await page.getByLabel(isNote ? 'Your note' : 'Your comment').fill(text);
    if (kind === 'Official answer') await page.getByLabel(kind).check();
    await page.getByRole('button', { name: isNote ? 'Add note' : 'Comment', exact: true }).click();
    await page
      .locator(':is(.comment, .answer) .prose')
      .getByText(text.split(' ')[0] as string)
      .first()
      .waitFor();
    site.clock.advance(60_000);
  }
  await page.getByRole('link', { name: 'Reply' }).first().click();
  const reply = page.locator('.reply-form');
  await reply.getByLabel('Your reply').fill('Two hours for us.');
  await reply.getByRole('button', { name: 'Send reply' }).click();
  await page.locator('.replies').waitFor();
  const statuses: { id: string; name: string }[] = (await site.ask('{ statuses: listStatuses { id name } }')).statuses;
  await site.api.changePostStatus({
    postId: id,
    statusType: 'CUSTOM',
    statusId: statuses.find(({ name }) => name === 'Planned')?.id,
  });
  await site.api.createUser({ ssoType: 'SSO', ssoId: 'pro', name: 'Pro', attributes: { plan: 'Pro' } });
  await site.api.as('pro').upvotePost({ postId: id });
  await look(owner, '/b/acme/settings/numbers', 'numbers-by-plan');
  await look(owner, '/b/acme/posts/1', 'post-team');
  await page.getByRole('button', { name: 'Status: Planned' }).click();
  await look(owner, null, 'post-status');
  await look(owner, '/b/acme/posts/1?merge=', 'post-merge');
  await look(owner, '/b/acme?sort=mine', 'board-mine');
  await page.goto('/b/acme');
  await page.getByLabel('Your idea in one sentence').fill('CSV export with filters');
  await page.locator('.similar').waitFor();
  await look(owner, null, 'board-writing');
  await site.api.changePostModerationStatus({ id, moderationStatus: 'PENDING' });
  await look(owner, '/b/acme/moderation', 'moderation');
  await look(owner, '/b/acme/voters/2', 'voters');
  await look(owner, '/b/acme/inbox', 'inbox');
  await look(owner, '/b/acme/triage/unanswered', 'triage');
  for (const title of ['Dark mode', 'A dark theme for the evening mode']) await site.makePost(title, { as: 'pro' });
  await page.goto('/b/acme/triage/unanswered');
  await page.keyboard.press('j');
  await page.getByText('Likely duplicates').waitFor();
  await look(owner, null, 'triage-idea');
  await look(owner, '/b/acme/activity', 'activity');
  await look(owner, '/b/acme/people', 'people');
  await page.locator('.table a').last().click();
  await page.getByLabel('Your note').fill('Renews in May.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.locator('.kept').waitFor();
  await look(owner, null, 'person');
  const posts = await site.api.posts({ limit: 1 }, { nodes: { id: true } });
  await site.api.deletePost({ postId: posts.nodes[0]?.id ?? '' });
  await look(owner, '/b/acme/deleted', 'deleted');
});

test('what the team sees of issue trackers is sound', async (t) => {
  const site = await openSite(t, browser);
  const { db, clock, origin } = site;
  const project = new GithubProject(() => clock.now());
  await startProject(t, project);
  const log = pino({ level: 'silent' });
  const worker = new TrackerWorker({ db, clock, log, baseUrl: origin, sender: makeTestSender() });
  t.after(() => worker.stop());
  const owner = await visitAsOwner(site);
  const { page } = owner;
  await page.goto('/b/acme/settings/trackers');
  await page.getByLabel('Repository, project or team').fill(project.address);
  await page.getByLabel('Token', { exact: true }).fill(PROJECT_TOKEN);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('heading', { name: 'GitHub: acme/app' }).waitFor();
  await look(owner, page.url().replace('done=saved&', ''), 'trackers-connected');
  const postId = await site.makePost('Dark mode for the evening');
  await site.api.upvotePost({ postId });
  await fill(site);
  const issues = [project.open('Dark theme'), project.open('Follow the theme of the system')];
  for (const { number } of issues) {
    await page.goto('/b/acme/posts/1');
    await page.getByRole('button', { name: 'Link an issue' }).click();
    await page.getByLabel('Address or number').fill(`#${number}`);
    await page.locator('#pick-issue').getByRole('button', { name: 'Link an issue' }).click();
    await page.getByText(`acme/app#${number}`).waitFor();
    await worker.settled();
    clock.advance(1_000);
  }
  clock.advance(300_000);
  project.close(issues[0] ?? assert.fail());
  await worker.settled();
  await look(owner, '/b/acme/posts/1', 'post-issues');
  project.answer = (_, send) => send(401, { message: 'Bad credentials' });
  clock.advance(300_000);
  await worker.settled();
  await look(owner, '/b/acme/settings/trackers', 'trackers-refused');
});

test('what the team sees of the changelog is sound', async (t) => {
  const site = await openSite(t, browser);
  const owner = await visitAsOwner(site);
  const { page } = owner;
  await fill(site);
  await makeEntry(site, { title: 'Keyboard shortcuts' });
  const picture = await upload(site, { filename: 'dark.png', bytes: PNG });
  await publishNew(site, {
    title: 'Dark mode',
    text: 'With a picture.',
    labels: ['NEW', 'FIXED'],
    files: [picture.id],
  });
  await look(owner, '/b/acme/changelog', 'changelog-team');
  await look(owner, '/b/acme/changelog/5', 'changelog-entry');
  await page.getByText('Delete entry').click();
  await look(owner, null, 'changelog-delete');
  await page.goto('/b/acme/changelog/new');
  await page.getByLabel('Title').fill('Shortcuts');
  await page.getByLabel('What is new').fill('Press **?** to see them.');
  await page.getByLabel('Find ideas by words or number').fill('shortcuts');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('fieldset .choice label', { hasText: '#' }).first().click();
  await page.getByRole('tab', { name: 'Preview' }).click();
  await page.locator('.preview').waitFor();
  await look(owner, null, 'changelog-new');
});

test('what a user sees who signs up is sound', async (t) => {
  const site = await openSite(t, browser);
  const id = await site.makePost('Dark mode');
  const visitor = await site.visit('/b/acme');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Vote for Dark mode' }).click();
  await page.getByLabel('Email address').first().waitFor();
  await look(visitor, '/sign-in?next=%2Fb%2Facme%2Fcontinue', 'sign-in-draft');
  await look(visitor, await askForLink(site, page, 'vera@example.com'), 'sign-up');
  await site.api.updatePost({ id, isLocked: true });
  await page.getByLabel('Your name').fill('Vera');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'This could not be completed' }).waitFor();
  await look(visitor, null, 'continue');
  await look(visitor, '/sign-up/nothing', 'sign-up-useless');
});

test('what an owner sees of webhooks is sound', async (t) => {
  const site = await openSite(t, browser);
  const watched = await withWebhooks(t, site);
  const { page, receiver, makeWebhook, settled, clock } = watched;
  await look(watched, LIST, 'webhooks-empty');
  await look(watched, `${LIST}/new`, 'webhook-new');
  receiver.challenge = (text) => JSON.stringify(text);
  const refused = await makeWebhook({ url: `${receiver.origin}/refused`, verifyToken: 'token', signingSecret: null });
  await look(watched, refused.path, 'webhook-refused');
  receiver.challenge = (text) => text;
  const { path } = await makeWebhook({ events: ['post.created', 'comment.created'] });
  for (const title of ['Dark mode', 'Export to CSV', 'Sort by date']) await site.makePost(title);
  await settled();
  clock.advance(7_200_000);
  receiver.status = 503;
  for (const title of ['Keyboard shortcuts', 'Import', 'Wider tables']) await site.makePost(title);
  await settled();
  await look(watched, LIST, 'webhooks');
  await look(watched, path, 'webhook');
  await page.getByRole('link', { name: 'post.created' }).first().click();
  await page.getByText('Request and response').first().click();
  await look(watched, null, 'webhook-delivery');
  await look(watched, `${path}/settings`, 'webhook-settings');
  await page.goto(`${path}/secrets`);
  await page.getByRole('group', { name: 'Signing secret' }).getByLabel('Generate one').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Show secrets' }).click();
  await page.locator('.secret').first().waitFor();
  await look(watched, null, 'webhook-secrets');
  await page.goto(`${path}/receiver`);
  await page.getByText('Python').first().click();
  await page.getByLabel('Body, as your receiver got it').fill('{}');
  await page.getByLabel('X-Hub-Signature').fill('E'.repeat(64));
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByText('For this body and secret, the signature would be').waitFor();
  await look(watched, null, 'webhook-receiver');
  await look(watched, '/b/acme/settings/mail', 'mail');
});
