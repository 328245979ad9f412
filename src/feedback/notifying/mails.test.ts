import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp, testBoth } from '../../../test/support/app.ts';
import { startMailServer } from '../../../test/support/mail-server.ts';
import { addUsers, contextOf, makeScene, prefer, startNotifying } from '../../../test/support/notifying.ts';
import { statusNamed } from '../../../test/support/statuses.ts';
import { engines } from '../../../test/support/store.ts';
import { makeTestWeb } from '../../../test/support/web.ts';
import { setRole } from '../../identity/users/users.ts';
import { listInbox } from './inbox.ts';

/** The path of the link with this label in the text of a mail. */
function pathOf(text: string, label: string): string {
  return new RegExp(`^${label}: http://board\\.test(\\S+)$`, 'm').exec(text)?.[1] ?? '';
}

testBoth('a mail names its list and thread, and offers to unsubscribe by one click', async (app, t) => {
  const { change, comment } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await change();
  const [first, second] = await notifying.deliverAfter();
  await comment('newcomer');
  const [later] = await notifying.deliverAfter();
  const { headers } = first ?? assert.fail('no mail came');
  assert.match(headers['message-id'] ?? '', /^<[0-9a-f-]{36}@board\.test>$/);
  assert.notEqual(headers['message-id'], second?.headers['message-id']);
  assert.match(headers.references ?? '', /^<post-[0-9a-f-]{36}@board\.test>$/);
  assert.deepEqual([headers['in-reply-to'], later?.headers.references], [headers.references, headers.references]);
  assert.equal(headers['list-id'], '<acme.board.test>');
  assert.equal(headers['auto-submitted'], 'auto-generated');
  assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.match(headers['list-unsubscribe'] ?? '', /^<http:\/\/board\.test\/email\/v1\.[\w-]+>$/);
  assert.match(headers.from ?? '', /^"?Acme"? <earshot@board\.test>$/);
});

testBoth('hostile texts stay texts in subject, HTML and headers', async (app, t) => {
  await addUsers(app, 'author', 'evil');
  const notifying = await startNotifying(t, app);
  const title = '</title><img src=x onerror=alert(1)>\u2028Bcc: evil@example.com';
  const id = await app.makePost(title, { as: 'author' });
  const text =
    '<script>alert(1)</script> [x](javascript:alert(1)) ![p](https://tracker.example/p.png)\n\nBcc: evil@example.com';
  await app.api.updateUser({ ssoId: 'evil', name: '"><b>Evil</b>' });
  await app.api.as('evil').createComment({ postId: id, text });
  const [mail, ...others] = await notifying.deliverAfter();
  const { to, headers, html } = mail ?? assert.fail('no mail came');
  assert.deepEqual([others.length, to, headers.bcc], [0, ['author@example.com'], undefined]);
  assert.match(headers.subject ?? '', /^New comment: <\/title><img src=x/);
  assert.doesNotMatch(html, /<script|<img|onerror=alert\(1\)>|<b>Evil|href="javascript|tracker\.example\/p\.png"/);
  assert.match(html, /&#60;script&#62;alert\(1\)&#60;\/script&#62;/);
});

testBoth('a status that its reader may not see is named in no mail, also once it is deleted', async (app, t) => {
  const { id, change } = await makeScene(app);
  await setRole(app, { ssoType: 'SSO', ssoId: 'fan' }, 'MODERATOR');
  const notifying = await startNotifying(t, app);
  await notifying.deliverAfter();
  const secret = (await app.api.createStatus({ name: 'Lawsuit', color: '#a33' })).id;
  await app.api.updateStatus({ id: secret, postVisibility: 'TEAM' });
  await change('mod', { status: secret });
  await change();
  const mails = await notifying.deliverAfter();
  const ofMember = mails.find(({ to }) => to[0] === 'author@example.com') ?? assert.fail('no mail came');
  const ofTeam = mails.find(({ to }) => to[0] === 'fan@example.com') ?? assert.fail('no mail came');
  assert.equal(ofMember.headers.subject, 'Planned: Dark mode');
  assert.match(ofMember.text, /^→ Planned$/m);
  assert.doesNotMatch(`${ofMember.text} ${ofMember.html}`, /Lawsuit/);
  assert.match(ofTeam.text, /Open → Lawsuit.*Lawsuit → Planned/s);
  await app.api.deleteStatus({ id: secret });
  const inbox = await listInbox(await contextOf(app, 'author'), { cursor: null, limit: 20 });
  const moves = inbox.nodes.map(({ change: { move } }) => [move?.from?.name, move?.to.name]);
  assert.deepEqual([id, moves], [inbox.nodes[0]?.post.id, [[undefined, 'Planned']]]);
});

testBoth('a mail names statuses in the language of its reader, except renamed ones', async (app, t) => {
  const { change } = await makeScene(app);
  await prefer(app, 'author', { locale: 'de' });
  await app.api.updateStatus({ id: await statusNamed(app, 'Open'), name: 'Inbox' });
  const notifying = await startNotifying(t, app);
  await notifying.deliverAfter();
  await change();
  const mails = await notifying.deliverAfter();
  const { headers, text, html } = mails.find(({ to }) => to[0] === 'author@example.com') ?? assert.fail('no mail came');
  assert.equal(headers.subject, 'Geplant: Dark mode');
  assert.match(text, /^Inbox → Geplant$/m);
  assert.match(html, /Geplant/);
  assert.doesNotMatch(html, /Planned/);
  const { change: told } = (await listInbox(await contextOf(app, 'author'), { cursor: null, limit: 1 })).nodes[0] ?? {};
  assert.equal(told?.move?.to.name, 'Planned');
});

for (const engine of engines) {
  test(`a link of a mail changes nothing until its button is pressed, and needs no session [${engine}]`, async (t) => {
    const web = await makeTestWeb(t, engine);
    const { change, comment } = await makeScene(web);
    const notifying = await startNotifying(t, web);
    await change();
    const mails = await notifying.deliverAfter();
    const to = (name: string) => mails.find((mail) => mail.to[0] === `${name}@example.com`) ?? assert.fail(name);
    const visitor = web.makeVisitor();
    const mute = pathOf(to('fan').text, 'Mute this idea');
    assert.match((await visitor.get(mute)).payload, /Dark mode.*You will no longer get email about this idea/s);
    assert.match((await visitor.post(mute, { intent: 'mute' })).payload, /You will not get email about this idea/);
    const oneClick = /<http:\/\/board\.test(.*)>/.exec(to('author').headers['list-unsubscribe'] ?? '')?.[1] ?? '';
    assert.match((await visitor.get(oneClick)).payload, /Email from Acme/);
    const body = { 'List-Unsubscribe': 'One-Click' };
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await visitor.post('/sign-in', body, crossSite)).statusCode, 403);
    assert.equal((await visitor.post(oneClick, body, {})).statusCode, 200);
    await comment('newcomer');
    assert.deepEqual(await notifying.recipients(), ['talker']);
    const preferences = pathOf(to('author').text, 'Email preferences');
    assert.match((await visitor.get(preferences)).payload, /<option[^>]* selected=""[^>]*>Never|value="OFF" selected/);
    await visitor.post(preferences, { intent: 'save', frequency: 'AT_ONCE', onComment: 'on' });
    await comment('newcomer');
    assert.deepEqual(await notifying.recipients(), ['author', 'talker']);
    const changed = `${mute.slice(0, -2)}AA`;
    assert.equal((await visitor.get(changed)).statusCode, 404);
    assert.equal((await visitor.post(changed, body, {})).statusCode, 404);
  });

  test(`an address that bounced gets no notification until a mail arrives there [${engine}]`, async (t) => {
    const app = await makeTestApp(t, engine);
    const dead = new Set(['author@example.com']);
    const refusal = Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 });
    const server = await startMailServer(t, {
      onRcptTo: ({ address }, _, done) => done(dead.has(address) ? refusal : null),
    });
    const { comment } = await makeScene(app);
    const notifying = await startNotifying(t, app, server);
    await comment('newcomer');
    assert.deepEqual(await notifying.recipients(), ['fan', 'talker']);
    const mails = () => app.db.read.selectFrom('mails').select('state').where('recipient', '=', 'author@example.com');
    assert.deepEqual(await mails().execute(), [{ state: 'bounced' }]);
    await comment('newcomer');
    assert.deepEqual(await notifying.recipients(), ['fan', 'talker']);
    assert.equal((await mails().execute()).length, 1, 'none was queued');
    await app.api.updateUser({ ssoId: 'author', email: 'new@example.com' });
    await comment('newcomer');
    assert.deepEqual(await notifying.recipients(), ['fan', 'new', 'talker']);
  });
}
