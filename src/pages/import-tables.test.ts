import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOf } from '../../test/support/export.ts';
import { essence } from '../../test/support/exported.ts';
import { importAll } from '../../test/support/import-ideas.ts';
import { testRemote } from '../../test/support/remote.ts';
import { until } from '../../test/support/until.ts';
import { type TestWeb, testWeb, type WebVisitor } from '../../test/support/web.ts';
import { recognizeFile } from '../operations/imports/recognizing.ts';
import { openFile } from '../operations/imports/sources.ts';

const FOLDER = join(import.meta.dirname, '../../test/support/tables');
const PAGE = '/b/acme/settings/import';

const contents = async (web: TestWeb) => essence(await jsonOf(web, { query: 'comments=true&votes=true' }));

/** Waits until nothing is running. */
async function ended(visitor: WebVisitor): Promise<string> {
  let page = '';
  await until('the import has ended', async () => {
    page = (await visitor.get(PAGE)).payload;
    return !page.includes('<progress');
  });
  return page;
}

async function act(visitor: WebVisitor, intent: string): Promise<string> {
  const { statusCode, payload } = await visitor.post(PAGE, { intent });
  assert.equal(statusCode, 302, payload);
  return ended(visitor);
}

testWeb('every table comes in on the page as in the terminal, and is gone after undo', async (web) => {
  const owner = await web.makeMember('Olga', 'OWNER');
  for (const name of readdirSync(FOLDER)) {
    const file = join(FOLDER, name);
    const bytes = readFileSync(file);
    await owner.postForm(`${PAGE}/file`, [{ filename: name, bytes }]);
    assert.match(await ended(owner), /What would be imported/, name);
    assert.match(await act(owner, 'proceed'), /Last import/, name);
    const onPage = await contents(web);
    assert.match(await act(owner, 'undo'), /Ideas removed: [1-9]/, name);
    assert.deepEqual(await contents(web), [], name);

    const { source, reading } = await recognizeFile(file);
    await importAll(web, await Array.fromAsync(openFile(source, file, { reading, remote: testRemote })));
    assert.deepEqual(await contents(web), onPage, name);
    assert.notEqual(onPage.length, 0, name);
    await act(owner, 'undo');
  }
});
