import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totpOf } from '../support/accounts.ts';
import { launchBrowser, openSite } from '../support/browser.ts';
import { PNG } from '../support/files.ts';
import { askForLink, makeAccount, openSetup, PASSWORD, pathOf, readMail, signIn, visitAsOwner } from './people.ts';

const browser = await launchBrowser();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`an owner sets the board up from the printed link, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const link = await openSetup(site);
    const { page, wrong } = await site.visit(link, { javaScriptEnabled });
    await makeAccount(page, 'Olga Owner', 'olga@example.com');

    await page.getByRole('heading', { name: 'Name and URL' }).waitFor();
    await page.getByLabel('Board name').fill('Ideas of Acme');
    await page.getByLabel('Board URL').fill('Not an address!');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The URL must have 1 to 40 characters').waitFor();
    assert.equal(await page.getByLabel('Board name').inputValue(), 'Ideas of Acme');
    await page.getByLabel('Board URL').fill('ideas');
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('heading', { name: 'Branding' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/b/ideas/setup/3');
    const color = page.locator('input[name=color]');
    // Without scripts the preview is asked for.
    const preview = async () => {
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Preview color' }).click();
    };
    await page.getByRole('radio', { name: 'Teal' }).check();
    await preview();
    assert.equal(await color.inputValue(), '#0b7285');
    await color.fill('#ffdd00');
    await preview();
    await page.getByRole('radio', { name: 'Teal', checked: false }).waitFor();
    assert.equal(await color.inputValue(), '#ffdd00');
    await page
      .getByText(/Contrast (4\.[5-9]|\d\d?)/)
      .nth(1)
      .waitFor();

    // An owner who leaves comes back to the step where they were.
    await page.goto('/b/ideas/setup');
    await page.getByRole('heading', { name: 'Branding' }).waitFor();
    await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: PNG });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('img', { name: 'Current image' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('heading', { name: 'Team', exact: true }).waitFor();
    await page.getByLabel('Email addresses').fill('max@example.com, nobody');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The email address must be an address').waitFor();
    assert.equal(await page.getByLabel('Email addresses').inputValue(), 'max@example.com, nobody');
    await page.getByLabel('Email addresses').fill('max@example.com, mia@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('heading', { name: 'First idea' }).waitFor();
    await page.getByText('Invitation sent').waitFor();
    await page.getByLabel('Title').fill('<script>alert(1)</script> mode');
    await page.getByRole('button', { name: 'Post idea' }).click();
    await page.getByText('Your board is ready').waitFor();
    const share = page.getByRole('region', { name: 'Share your board' });
    await share.getByText('http://board.test/b/ideas').waitFor();
    await share.getByRole('link', { name: 'Invite a teammate' }).waitFor();
    await page
      .getByRole('button', { name: 'Vote for <script>alert(1)</script> mode, 1 vote', pressed: true })
      .waitFor();
    await page.goto('/b/ideas');
    await share.waitFor({ state: 'detached' });
    await page.goto('/b/ideas/settings');
    await page.getByText('Finish setting up').waitFor();
    await page.getByRole('button', { name: 'Hide this list' }).click();
    await page.getByText('Finish setting up').waitFor({ state: 'detached' });

    await page.goto('/b/ideas');
    await page.getByRole('link', { name: '<script>alert(1)</script> mode' }).waitFor();
    const reused = await site.visit(link, { javaScriptEnabled });
    await reused.page.getByText('This link was already used').waitFor();
    assert.deepEqual(wrong, []);
  });

  test(`a user signs out and in again, by password and by mail, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    await page.getByRole('button', { name: 'Your menu, Olga Owner' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.goto('/b/acme/settings/general');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, 'olga@example.com', 'not the password');
    await page.getByText('Email address or password is wrong').waitFor();
    assert.equal(await page.getByLabel('Email address').last().inputValue(), 'olga@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'General' }).waitFor();

    const other = await site.visit('/sign-in', { javaScriptEnabled });
    await other.page.goto(await askForLink(site, other.page, 'olga@example.com'));
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.deepEqual([...wrong, ...other.wrong], []);
  });

  test(`a key is made, used, replaced and revoked, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong } = await visitAsOwner(site, { javaScriptEnabled });
    await page.goto('/b/acme/settings/apis');
    await page.getByRole('link', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Website');
    await dialog.getByLabel('Allowed IP addresses').fill('127.0.0.1\n300.0.0.1');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('"300.0.0.1" is not an IPv4 or IPv6 address').waitFor();
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Website');
    await dialog.getByLabel('Allowed IP addresses').fill('127.0.0.1');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await dialog.locator('.secret').first().textContent()) ?? '';
    assert.match(key, /^esk_[\w-]{43}$/);
    assert.equal(await ask(site.origin, key), 'Acme');

    await dialog.getByRole('link', { name: "I've saved it" }).click();
    await page.getByRole('link', { name: 'Website' }).click();
    await page.getByLabel('The old key stops working').selectOption('1');
    await page.getByRole('button', { name: 'Replace with a new key' }).click();
    const successor = (await page.locator('.secret').first().textContent()) ?? '';
    assert.notEqual(successor, key);
    assert.deepEqual([await ask(site.origin, key), await ask(site.origin, successor)], ['Acme', 'Acme']);
    site.clock.advance(3_600_001);
    assert.deepEqual([await ask(site.origin, key), await ask(site.origin, successor)], ['Invalid Api Key', 'Acme']);

    await page.goto('/b/acme/settings/apis');
    await page.getByRole('row').filter({ hasText: 'Active' }).getByRole('link', { name: 'Website' }).click();
    await page.getByLabel('Type the name').fill('website');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('This is not the name of the key').waitFor();
    await page.getByLabel('Type the name').fill('Website');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Key revoked').waitFor();
    assert.equal(await ask(site.origin, successor), 'Invalid Api Key');
    assert.deepEqual(wrong, []);
  });

  test(`a user is invited, joins, and is removed from the team, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const owner = await visitAsOwner(site, { javaScriptEnabled });
    await owner.page.goto('/b/acme/settings/members');
    await owner.page.getByLabel('Email address').fill('max@example.com');
    await owner.page.getByLabel('Role', { exact: true }).selectOption('ADMIN');
    await owner.page.getByRole('button', { name: 'Send invitation' }).click();
    await owner.page.getByText('Invitation sent').waitFor();

    const { path } = await readMail(site, 'max@example.com');
    const max = await site.visit(path, { javaScriptEnabled });
    await makeAccount(max.page, 'Max "><img src=x onerror=alert(1)>', null);
    await max.page.getByRole('heading', { name: 'Overview' }).waitFor();

    await owner.page.goto('/b/acme/settings/members');
    const row = owner.page.getByRole('listitem').filter({ hasText: 'max@example.com' });
    await row.getByText('Max "><img src=x onerror=alert(1)>').first().waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await owner.page.getByText('Removed', { exact: true }).waitFor();
    await max.page.goto('/b/acme/settings/general');
    await max.page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
    assert.deepEqual([...owner.wrong, ...max.wrong], []);
  });
}

test('a form that is sent after the session ended waits for its sender to sign in', async (t) => {
  const site = await openSite(t, browser);
  const { page } = await visitAsOwner(site, { javaScriptEnabled: false });
  await page.goto('/b/acme/settings/general');
  await page.getByLabel('Board name').fill('A long thought');
  await site.db.transaction((tx) => tx.deleteFrom('sessions').execute());
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  const tab = await page.context().newPage();
  await tab.goto('/sign-in');
  await signIn(tab, 'olga@example.com', PASSWORD);
  await tab.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Board name').inputValue(), 'A long thought');
});

test('a user sets up a second factor and signs in with it', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong } = await visitAsOwner(site);
  await page.goto('/b/acme/settings/account');
  const section = page.getByRole('region', { name: 'Two-factor authentication' });
  await section.getByLabel('Current password').fill(PASSWORD);
  await section.getByRole('button', { name: 'Set up' }).click();
  const secret = (await section.locator('.secret').first().textContent()) ?? '';
  await section.getByLabel('Code', { exact: true }).fill(totpOf(secret, Date.now()));
  await section.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Two-factor authentication is on: signing in requires your password and a code.').waitFor();

  const phone = await site.visit('/sign-in?next=/b/acme/settings/apis');
  await signIn(phone.page, 'olga@example.com', PASSWORD);
  // The code before was used to set the factor up.
  await phone.page.getByLabel('Code').fill(totpOf(secret, Date.now() + 30_000));
  await phone.page.getByRole('button', { name: 'Sign in' }).click();
  await phone.page.getByRole('heading', { name: 'APIs' }).waitFor();
  assert.deepEqual([...wrong, ...phone.wrong], []);
});

test('the theme that a visitor chooses stays, without a flash and without scripts', async (t) => {
  const site = await openSite(t, browser);
  const { page } = await site.visit('/b/acme', { javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Dark' }).click();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.goto('/b/acme?sort=new');
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  assert.match((await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join(), /theme=dark/);
});

test('links of the API lead to the post', async (t) => {
  const site = await openSite(t, browser);
  await site.makePost('Dunkelmodus für alle 🌙');
  const { post } = await site.ask('{ post: posts(limit: 1) { nodes { url } } }');
  const { page } = await site.visit(pathOf(post.nodes[0].url));
  await page.getByRole('heading', { name: 'Dunkelmodus für alle 🌙' }).waitFor();
});

async function ask(origin: string, apikey: string): Promise<string> {
  const answer = await fetch(`${origin}/api/v1/graphql`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: '{"query":"{ board { name } }"}',
  });
  const { data, errors } = (await answer.json()) as {
    data?: { board: { name: string } };
    errors?: { message: string }[];
  };
  return data?.board.name ?? errors?.[0]?.message ?? '';
}
