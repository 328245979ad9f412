import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { launchBrowser, openSite } from '../support/browser.ts';
import { makeAccount, readMail } from './people.ts';
import { LIST, postsOf, withWebhooks } from './webhooks-support.ts';

const browser = await launchBrowser();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`a webhook is made, enabled step by step, tested and stopped, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, wrong, receiver, settled } = await withWebhooks(t, site, { javaScriptEnabled });
    await page.goto(LIST);
    await page.getByText('No webhooks yet.').waitFor();
    await page.getByRole('link', { name: 'Create webhook' }).click();
    await page.getByLabel('Endpoint URL').fill('http://10.0.0.1/hook');
    await page.getByRole('radio', { name: 'Only these' }).check();
    await page.getByRole('checkbox', { name: 'comment.created' }).uncheck();
    await page.getByRole('group', { name: 'Verify token' }).getByLabel('Use my own').check();
    await page.getByLabel('Your verify token').fill('open sesame');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('address not allowed: enter one on the public internet').waitFor();
    assert.equal(await page.getByLabel('Your verify token').inputValue(), 'open sesame');
    assert.equal(await page.getByRole('checkbox', { name: 'comment.created' }).isChecked(), false);
    await page.getByLabel('Endpoint URL').fill(`${receiver.origin}/hook`);
    await page.getByRole('button', { name: 'Create webhook' }).click();

    await page.getByText('Not enabled yet').waitFor();
    await page.getByText('Without https, anyone on the network').waitFor();
    receiver.challenge = (text) => JSON.stringify(text);
    await page.getByRole('button', { name: 'Verify and enable' }).click();
    await page.getByText('inside JSON quotes').waitFor();
    const steps = await page.locator('.verification-steps li').allTextContents();
    assert.match(
      steps[0] ?? '',
      /^Done:Sent GET http:.*hub\.mode=subscribe&hub\.challenge=[\w-]{43}&hub\.verify_token=•••$/,
    );
    assert.match(steps[1] ?? '', /^Done:Got 200 after \d+ ms$/);
    assert.equal(steps[2], 'Failed:The challenge was not confirmed');
    await page
      .getByRole('figure', { name: 'Response' })
      .getByText(/^200\n.*\n\n"[\w-]{43}"$/s)
      .waitFor();
    receiver.challenge = (text) => text;
    await page.getByRole('button', { name: 'Verify and enable' }).click();
    await page.getByText('Endpoint verified').waitFor();
    assert.match(receiver.received.at(-1)?.url ?? '', /hub\.verify_token=open%20sesame$/);

    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('heading', { name: 'Attempt 1: delivered' }).waitFor();
    await page.getByRole('link', { name: 'All deliveries' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Webhook disabled').waitFor();
    await site.makePost('Not delivered');
    await settled();
    assert.equal(postsOf(receiver).length, 1);
    assert.deepEqual(wrong, []);
  });

  test(`what waited while a webhook was disabled is delivered or skipped, as its owner chooses, ${how}`, async (t) => {
    const site = await openSite(t, browser);
    const { page, receiver, makeWebhook, settled, db } = await withWebhooks(t, site, { javaScriptEnabled });
    const { path } = await makeWebhook();
    receiver.status = 410;
    await site.makePost('One');
    await settled();
    await site.makePost('Two');
    await page.goto(path);
    await page.getByText('Disabled automatically', { exact: true }).waitFor();
    await page.getByText('It answered 410 (gone)').first().waitFor();
    receiver.status = 200;
    await page.getByText('2 events were missed:').waitFor();
    await page.getByLabel('skip; you can still resend them').check();
    await page.getByRole('button', { name: 'Verify and enable' }).click();
    await page.getByText('Endpoint verified').waitFor();
    await settled();
    assert.equal(postsOf(receiver).length, 1);
    await page.getByRole('button', { name: 'Resend all' }).click();
    await page.getByText('Resending', { exact: true }).waitFor();
    await settled();
    const titles = postsOf(receiver).map(({ body }) => JSON.parse(body.toString()).data.post.title);
    assert.deepEqual(titles.sort(), ['One', 'One', 'Two']);
    const rows = await db.read.selectFrom('deliveries').select('state').execute();
    assert.deepEqual(rows, [{ state: 'delivered' }, { state: 'delivered' }]);
  });
}

test('the log is searched by its address, and deliveries are sent again, one or those chosen', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong, receiver, makeWebhook, settled } = await withWebhooks(t, site);
  const { path } = await makeWebhook();
  for (let n = 1; n <= 27; n++) await site.makePost(`Größe \u200e${n}`);
  await settled();
  await page.goto(path);
  assert.equal(await page.locator('tbody tr th a').count(), 25);
  await page.getByRole('link', { name: 'Older' }).click();
  await page.waitForURL('**before=**');
  await page.getByRole('link', { name: 'Newest' }).waitFor();
  assert.equal(await page.locator('tbody tr th a').count(), 2);
  await page.getByLabel('State').selectOption('given_up');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('No deliveries match.').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('state'), 'given_up');
  await page.goto(`${path}?event=post.created&since=1h&state=nonsense&before=nonsense`);
  assert.equal(await page.locator('tbody tr th a').count(), 25);

  const before = postsOf(receiver).length;
  await page.getByRole('button', { name: 'Resend selected' }).click();
  await page.getByText('Choose deliveries first').waitFor();
  await page.getByRole('checkbox', { name: 'Select post.created' }).first().check();
  await page.getByRole('button', { name: 'Resend selected' }).click();
  await page.getByText('These were already delivered').waitFor();
  await page.getByLabel('Include delivered ones').check();
  await page.getByRole('button', { name: 'Resend selected' }).click();
  await page.getByText('Resending', { exact: true }).waitFor();
  await settled();
  assert.equal(postsOf(receiver).length, before + 1);

  await page.goto(path);
  await page.getByRole('link', { name: 'post.created' }).first().click();
  await page.getByRole('heading', { name: 'Attempt 2: delivered' }).waitFor();
  await page
    .getByRole('figure', { name: 'Body', exact: true })
    .getByText(/"title": "Größe \\u200e27"/)
    .waitFor();
  await page.getByText('As it was sent, byte for byte').click();
  await page
    .getByRole('figure', { name: /^Body \(\d+ bytes\)/ })
    .getByText(/Gr\\u00f6\\u00dfe/)
    .waitFor();
  await page.getByText('Request and response').first().click();
  const figure = page.getByRole('figure', { name: 'Signed curl command' }).first();
  const line = (await figure.textContent()) ?? '';
  assert.match(line, /^curl -i -X POST 'http:/);
  const [sent] = postsOf(receiver).slice(-1);
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  assert.match(stdout, /^HTTP\/1\.1 200 OK/);
  const again = postsOf(receiver).at(-1);
  assert.deepEqual(again?.body, sent?.body);
  assert.equal(again?.headers['x-hub-signature'], sent?.headers['x-hub-signature']);
  assert.deepEqual(wrong, []);
});

test('when two admins change a webhook, the later one sees both versions', async (t) => {
  const site = await openSite(t, browser);
  const { page, receiver, makeWebhook } = await withWebhooks(t, site);
  const { path } = await makeWebhook();
  await page.goto(`${path}/settings`);
  const other = await page.context().newPage();
  await other.goto(`${path}/settings`);
  await other.getByLabel('Endpoint URL').fill(`${receiver.origin}/theirs`);
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Saved', { exact: true }).waitFor();
  await page.getByLabel('Endpoint URL').fill(`${receiver.origin}/mine`);
  await page.getByRole('button', { name: 'Save' }).click();
  const note = page.getByRole('alert').filter({ hasText: 'Someone else saved' });
  await note.getByText(`${receiver.origin}/theirs`).waitFor();
  assert.equal(await page.getByLabel('Endpoint URL').inputValue(), `${receiver.origin}/mine`);
  await page.getByRole('button', { name: 'Save my version' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.match(receiver.received.at(-1)?.url ?? '', /^\/mine\?hub\.mode/);

  receiver.challenge = () => 'no';
  await page.getByLabel('Endpoint URL').fill(`${receiver.origin}/refused`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Failed:').first().waitFor({ state: 'attached' });
  assert.equal(await page.getByLabel('Endpoint URL').inputValue(), `${receiver.origin}/refused`);
  await page.goto(`${path}/settings`);
  assert.equal(await page.getByLabel('Endpoint URL').inputValue(), `${receiver.origin}/mine`);

  await page.getByLabel('Type the host').fill('elsewhere');
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('This is not the host of the webhook').waitFor();
  await page.getByLabel('Type the host').fill('127.0.0.1');
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('Webhook deleted').waitFor();
  await other.goto(`${path}/settings`);
  await other.getByRole('heading', { name: 'Page not found' }).waitFor();
});

test('secrets are shown only when they are asked for, and a new one is proved before it counts', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong, receiver, makeWebhook } = await withWebhooks(t, site);
  const { path } = await makeWebhook({ signingSecret: 'the old secret', verifyToken: 'the token' });
  for (const part of ['', '/settings', '/secrets', '/receiver', '/secrets.data', '/receiver.data']) {
    const answer = await page.request.get(path + part);
    assert.equal(answer.status(), 200, part);
    assert.doesNotMatch(await answer.text(), /the old secret|the token/, part);
  }
  await page.goto(`${path}/secrets`);
  await page.getByRole('button', { name: 'Show secrets' }).click();
  await page.locator('.secret').first().waitFor();
  assert.deepEqual(await page.locator('.secret').allTextContents(), ['the old secret', 'the token']);
  await page.getByRole('group', { name: 'Signing secret' }).getByLabel('Use my own').check();
  await page.getByLabel('Your signing secret').fill('the new secret');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'A new signing secret is pending' }).waitFor();
  receiver.status = 403;
  await page.getByRole('button', { name: 'Send test signed with the new secret' }).click();
  await page.getByText('signature refused').waitFor();
  receiver.status = 200;
  await page.getByRole('button', { name: 'Send test signed with the new secret' }).click();
  await page.getByText('The new signing secret is now active.').waitFor();
  const proof = postsOf(receiver).at(-1);
  const expected = createHmac('sha256', 'the new secret')
    .update(proof?.body ?? '')
    .digest('hex');
  assert.equal(proof?.headers['x-hub-signature'], `sha256=${expected}`);

  await page.goto(`${path}/secrets`);
  await page.getByRole('group', { name: 'Signing secret' }).getByLabel('Generate one').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Revoke the old one now' }).click();
  await page.getByRole('heading', { name: 'A new signing secret is pending' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show secrets' }).click();
  assert.match((await page.locator('.secret').first().textContent()) ?? '', /^whsec_[\w+/]{43}=$/);
  assert.deepEqual(wrong, []);
});

test('the check of a signature that does not match shows what differs', async (t) => {
  const site = await openSite(t, browser);
  const { page, wrong, makeWebhook } = await withWebhooks(t, site);
  const { path } = await makeWebhook({ signingSecret: 'the secret' });
  await page.goto(`${path}/receiver`);
  await page.getByText('Python').first().click();
  await page.getByText('if address.path != "/hook":').waitFor();
  const body = '{"event":"test","data":{"text":"Gr\\u00f6\\u00dfe"}}';
  const header = `sha256=${createHmac('sha256', 'the secret').update(body).digest('hex')}`;
  const check = async (fields: { body?: string; header?: string; secret?: string }, words: string) => {
    await page.getByLabel('Body, as your receiver got it').fill(fields.body ?? body);
    await page.getByLabel('X-Hub-Signature').fill(fields.header ?? header);
    await page.getByLabel('Signing secret').fill(fields.secret ?? '');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('status').getByText(words).waitFor();
  };
  await check({}, 'The signature matches.');
  await check({ body: `${body}\n` }, 'a newline that was not signed');
  await check({ body: JSON.stringify(JSON.parse(body)) }, 'The JSON was parsed and written again');
  await check({ header: header.slice(7) }, 'The prefix sha256= is missing');
  await check({ header: Buffer.from(header.slice(7), 'hex').toString('base64') }, 'It is base64');
  await check({ secret: 'another' }, 'The secret is not the one saved here');
  await check({ body: 'else' }, 'The signature does not match');
  assert.deepEqual(wrong, []);
});

test('webhooks are for owners and admins of their own board', async (t) => {
  const site = await openSite(t, browser);
  const { page, makeWebhook } = await withWebhooks(t, site);
  const { path } = await makeWebhook();
  await page.goto('/b/acme/settings/members');
  await page.getByLabel('Email address').fill('max@example.com');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('Invitation sent').waitFor();
  const max = await site.visit((await readMail(site, 'max@example.com')).path);
  await makeAccount(max.page, 'Max', null);
  await max.page.waitForURL('**/b/acme**');
  for (const part of ['', '/secrets', '/settings', '/receiver']) {
    assert.equal((await max.page.request.get(path + part)).status(), 403, part);
  }
  const headers = { origin: site.origin };
  const revealed = await max.page.request.post(`${path}/secrets`, { headers, form: { intent: 'reveal' } });
  assert.equal(revealed.status(), 403);
  const other = await site.makeBoard({ name: 'Other' });
  assert.equal((await page.request.get(path.replace('/acme/', `/${other.pid}/`))).status(), 403);
});
