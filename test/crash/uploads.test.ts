import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFileFolder } from '../../src/feedback/files/folder.ts';
import { cleanFiles } from '../../src/feedback/files/removing.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import { onEnd } from '../support/cleanup.ts';
import { FORM_TYPE, makeForm } from '../support/files.ts';
import { environmentFor, startServer } from '../support/process.ts';
import { engines, makeStorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';

for (const engine of engines) {
  test(`a process that is killed in the middle of an upload leaves nothing for long [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const server = await startServer(t, environmentFor(place));
    const [apikey = ''] = /esk_[\w-]{43}/.exec(server.stdout()) ?? [];
    const query = 'mutation { createUser(ssotype: "SSO", userId: "1") { id } }';
    const headers = { apikey, ssotype: 'SSO', ssoid: '1' };
    await fetch(`${server.url}/api/v1/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const form = makeForm([{ filename: 'a.bin', bytes: Buffer.alloc(1_000_000, 1) }]);
    const upload = request(`${server.url}/api/v1/files`, {
      method: 'POST',
      headers: { ...headers, 'content-type': FORM_TYPE, 'content-length': form.length },
    });
    upload.on('error', () => {});
    upload.write(form.subarray(0, 500_000));
    const listBytes = () => globSync('*/*', { cwd: join(place.dataDir, 'files') });
    await until('the upload begins', () => listBytes().length > 0);
    await server.end('SIGKILL');
    assert.equal(listBytes().length, 1);

    const db = openDb(place);
    onEnd(t, () => db.close());
    assert.deepEqual(await db.read.selectFrom('files').select('id').execute(), []);
    await cleanFiles({ db, clock: { now: () => Date.now() + DAY_MS }, folder: makeFileFolder(place.dataDir) });
    assert.deepEqual(listBytes(), []);
    assert.deepEqual(await db.read.selectFrom('file_removals').select('file_id').execute(), []);
  });
}
