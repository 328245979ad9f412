import assert from 'node:assert/strict';
import { testWeb } from '../../test/support/web.ts';

const POST = '/b/acme/posts/1';

testWeb('the history of an idea is in the language of the reader, and does not count as comments', async (web) => {
  const [id, other] = [await web.makePost('Dark mode'), await web.makePost('Black theme')];
  const { statuses } = await web.ask('{ statuses: listStatuses { id name } }');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  await mo.post(POST, { intent: 'status', status: statuses[1].id, comment: 'In *January*.' });
  await mo.post(POST, { intent: 'edit', title: 'Night mode', comment: '' });
  await web.api.upvotePost({ postId: other });
  await mo.post('/b/acme/posts/2', { intent: 'status', status: statuses[2].id, comment: '' });
  await mo.post('/b/acme/posts/2', { intent: 'merge', target: '1' });
  const wordsOf = async (path: string) => {
    const { payload } = await web.makeVisitor().get(path);
    const lines = [...payload.matchAll(/<p class="history">.*?<\/p>/gs)].map(([line]) => textOf(line));
    return [lines, /<h2 id="comments">(.*?)<\/h2>/s.exec(payload)?.[1]];
  };
  assert.deepEqual(await wordsOf(POST), [
    [
      'Mo changed the status: Open → Planned ·',
      'Mo changed the title from “Dark mode” to “Night mode” ·',
      'Mo merged Black theme and its 1 vote into this idea ·',
    ],
    'Activity',
  ]);
  assert.match((await web.makeVisitor().get(POST)).payload, /Answer from Acme.*Planned.*In <em>January<\/em>\./s);
  await web.api.deleteStatus({ id: statuses[1].id });
  await web.db.transaction((tx) => tx.updateTable('boards').set({ locale: 'de' }).execute());
  const [[first, , merged, last]] = (await wordsOf(POST)) as [string[], string];
  assert.match(first ?? '', /^Mo hat den Status geändert: Offen → Geplant ·$/);
  assert.match(merged ?? '', /^Mo hat Black theme mit 1 Stimme in diese Idee übernommen ·$/);
  assert.match(last ?? '', /^ada hat den Status geändert: Geplant → Offen ·$/);
  assert.equal((await web.api.post({ id }, { commentCount: true }))?.commentCount, 0);
});

testWeb('the name of a hidden status stays hidden when it is deleted', async (web) => {
  const id = await web.makePost('Dark mode');
  const secret = (await web.api.listStatuses({ id: true }))[1]?.id ?? '';
  await web.api.updateStatus({ id: secret, name: 'Buy Initech', postVisibility: 'TEAM' });
  await web.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: secret });
  await web.api.deleteStatus({ id: secret });
  const mona = await web.makeMember('Mona', 'MODERATOR');
  for (const path of [POST, `${POST}/feed.atom`]) {
    const { statusCode, payload } = await web.makeVisitor().get(path);
    assert.equal(statusCode, 200);
    assert.doesNotMatch(payload, /Initech/, path);
  }
  assert.match((await mona.get(POST)).payload, /Open.*Buy Initech.*Buy Initech.*Open/s);
});

/** What a reader sees of HTML, without times. */
function textOf(html: string): string {
  const text = html.replace(/<time.*?<\/time>|<p>/g, ' ').replace(/<[^>]*>/g, '');
  return text.replace(/\s+/g, ' ').trim();
}
