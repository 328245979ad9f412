import assert from 'node:assert/strict';
import { serverAudits } from 'graphql-http';
import { testOnce } from '../support/app.ts';
import { fetchWith, listen } from './listening.ts';

testOnce('all 61 server audits of graphql-http are ok with an API key', async (testApp) => {
  const url = await listen(testApp);
  const audits = serverAudits({ url, fetchFn: fetchWith({ apikey: testApp.key }) });
  const results = await Promise.all(audits.map((audit) => audit.fn()));
  const failed = results.flatMap((r) => (r.status === 'ok' ? [] : [`${r.id} ${r.name}: ${r.status}, ${r.reason}`]));
  assert.deepEqual(failed, []);
  assert.equal(results.length, 61);
});

testOnce('an audit of a server that does not conform is not ok', async (testApp) => {
  const url = `${await listen(testApp)}/nowhere`;
  const results = await Promise.all(serverAudits({ url }).map((audit) => audit.fn()));
  assert.ok(results.some((result) => result.status === 'error'));
  assert.ok(results.some((result) => result.status !== 'ok' && result.id === '22EB'));
});
