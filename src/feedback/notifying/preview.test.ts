import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { contextOf, makeScene, startNotifying, statusId } from '../../../test/support/notifying.ts';
import { testCipher } from '../../../test/support/sender.ts';
import { readMailToken } from './links.ts';
import { previewMail } from './preview.ts';

/** Without what is each reader's own: the rights in the links. */
const shared = (text: string) => text.replace(/v1\.[\w-]+/g, 'v1.…');

testBoth('the preview of a status change is the mail that is sent', async (app, t) => {
  const { id, change } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  const context = await contextOf(app, 'mod');
  const draft = { kind: 'STATUS' as const, statusId: await statusId(app), text: 'We **start** in January.\n\n<b>!' };
  const preview = await previewMail(context, testCipher, id, draft, { language: 'en' });
  await change('mod', { comment: draft.text });
  const mails = await notifying.deliverAfter();
  const sent = mails.find(({ to }) => to[0] === 'up@example.com') ?? assert.fail();
  assert.equal(preview.subject, sent.headers.subject);
  assert.equal(shared(preview.text).trim(), shared(sent.text).trim());
  const withoutStyles = sent.html.replace(/<style>.*?<\/style>/s, '<base target="_blank">');
  assert.equal(shared(preview.html).trim(), shared(withoutStyles).trim());
});

testBoth('a preview writes nothing, is in the language asked for, and gives no rights', async (app) => {
  const { id } = await makeScene(app);
  const context = await contextOf(app, 'mod');
  app.takeStatements();
  const preview = await previewMail(context, testCipher, id, { kind: 'OFFICIAL', text: 'Soon.' }, { language: 'de' });
  assert.deepEqual(
    app.takeStatements().filter((text) => !/^select/.test(text)),
    [],
  );
  assert.equal(preview.subject, 'Antwort vom Team: Dark mode');
  assert.match(preview.text, /mod, vom Team:\n> Soon\./);
  assert.match(preview.text, /weil Sie am 21\. November über diese Idee abgestimmt haben/);
  const [, path = ''] = /Abbestellen: http:\/\/board\.test(\S+)/.exec(preview.text) ?? [];
  assert.match(path, /^\/email\/v1\./);
  assert.equal(readMailToken(testCipher, path.slice('/email/'.length)).userId, '');
  const other = await previewMail(context, testCipher, id, { kind: 'OFFICIAL', text: 'Soon.' }, { language: '../x' });
  assert.equal(other.subject, 'Answer from the team: Dark mode', 'the language of the board');
});

testBoth('a preview refuses what the change would', async (app) => {
  const { id, change } = await makeScene(app);
  const status = await statusId(app);
  const preview = async (as: string, statusId = status, text: string | null = null) =>
    previewMail(await contextOf(app, as), testCipher, id, { kind: 'STATUS', statusId, text }, { language: 'en' });
  await assert.rejects(preview('fan'), /Only moderators can/);
  await assert.rejects(preview('mod', 'nothing'), /Status not found/);
  await assert.rejects(preview('mod', status, 'x'.repeat(20_001)), /1 to 20,000 characters/);
  await change();
  await assert.rejects(preview('mod'), /already has this status/);
});
