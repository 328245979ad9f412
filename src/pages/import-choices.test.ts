import assert from 'node:assert/strict';
import { ended, IMPORT_PAGE, owners, send, titles } from '../../test/support/import-page.ts';
import { testWeb } from '../../test/support/web.ts';

testWeb('what was chosen counts when Import is pressed at once, and odd names of statuses are names', async (web) => {
  const owner = await owners(web);
  const names = ['Shipped', '__proto__', 'constructor', 'toString', 'W'.repeat(60)];
  await send(owner, { bytes: ['Title,Status', ...names.map((name, n) => `Idea ${n},${name}`)].join('\n') });
  const page = await ended(owner);
  const fieldsOf = (html: string): Record<string, string> => {
    const selects = [...html.matchAll(/<select[^>]* name="([^"]+)".*?<\/select>/gs)];
    const values = selects.map(([whole, name = '']) => [
      name,
      /<option value="([^"]*)" selected/.exec(whole)?.[1] ?? /<option value="([^"]*)"/.exec(whole)?.[1] ?? '',
    ]);
    const hidden = (name: string) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''];
    return Object.fromEntries([...values, hidden('job'), hidden('before')].map((pair) => pair.map(unescaped)));
  };
  const fields = fieldsOf(page);
  assert.deepEqual(
    ['Shipped', 'proto', ...names.slice(2)].map((name) => fields[`status ${name}`]),
    ['Completed', 'proto', 'constructor', 'toString', ''],
  );
  const early = await owner.post(IMPORT_PAGE, { ...fields, 'status Shipped': 'Planned', intent: 'proceed' });
  assert.match(String(early.headers.location), /notice=applied/);
  const second = await ended(owner);
  assert.deepEqual(await titles(web), []);
  assert.equal(fieldsOf(second)['status Shipped'], 'Planned');
  await owner.post(IMPORT_PAGE, { ...fieldsOf(second), intent: 'proceed' });
  await ended(owner);
  const { posts } = await web.ask('{ posts(sort: OLDEST) { nodes { status { name } } } }');
  const got = posts.nodes.map(({ status }: { status: { name: string } }) => status.name).sort();
  assert.deepEqual(got, ['Constructor', 'Open', 'Planned', 'Proto', 'ToString']);
});

const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
