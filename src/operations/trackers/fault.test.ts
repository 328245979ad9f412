import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../../../test/support/receiver.ts';
import { makeTestSender, testCipher } from '../../../test/support/sender.ts';
import { languages, translate } from '../../platform/catalogues.ts';
import { msg } from '../../platform/messages.ts';
import { makeAddressRules } from '../../webhooks/http/address.ts';
import { makeTrackerClient, makeTrackerDial } from './client.ts';
import { readFailure, storeFailure, TrackerFault } from './fault.ts';
import { github } from './github.ts';

/** Asks for something that a tracker does not do. */
async function refusalOf(apiUrl: string, dial = makeTrackerDial(makeTestSender(), 200)): Promise<TrackerFault> {
  const place = { project: 'acme/app', projectKey: '1', account: '7', apiUrl, token: 'secret-token', secret: 'signs' };
  const client = makeTrackerClient({ ...place, cipher: testCipher, product: github, version: '0.0.0', dial });
  return client.ask('GET', '/repos/acme/app').then(
    () => assert.fail('nothing was refused'),
    (error: unknown) => (error instanceof TrackerFault ? error : assert.fail(String(error))),
  );
}

test('why a tracker cannot be asked is said in German, with its own words as they are', async (t) => {
  let status = 500;
  let body = '{}';
  const { origin } = await startReceiver(t, ({ url }, response) => {
    if (url.startsWith('/silent')) return;
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
    if (url.startsWith('/drip')) response.write('[');
    else response.end(body);
  });
  const { host } = new URL(origin);
  const inGerman = async (of: Promise<TrackerFault>) => translate('de', (await of).said.parts);
  assert.equal(await inGerman(refusalOf(origin)), `${host} hat mit 500 geantwortet`);
  const ofStatus = async (code: number, words: string) => {
    [status, body] = [code, words];
    return inGerman(refusalOf(origin));
  };
  assert.equal(await ofStatus(403, '{"message":"Not yours"}'), `${host} hat mit 403 geantwortet: Not yours`);
  const ownWords = '{"message":"Bad secret-token signs"}';
  assert.equal(await ofStatus(401, ownWords), `${host} lehnt das Token ab: Bad … …`);
  assert.match(await ofStatus(301, '{}'), /acme\/app umgezogen ist: Verbinden Sie es unter dem neuen Namen/);
  assert.match(await ofStatus(200, 'no'), /kein JSON/);
  assert.match(await inGerman(refusalOf(`${origin}/silent`)), /ist nicht erreichbar: nach 0 s keine Antwort$/);
  assert.match(await inGerman(refusalOf(`${origin}/drip`)), /^127.* hat die Antwort abgebrochen/);
  assert.match(await inGerman(refusalOf('http://127.0.0.1:1')), /ist nicht erreichbar: Verbindung abgelehnt$/);
  assert.match(await inGerman(refusalOf(origin.replace('http:', 'https:'))), /^Mit 127.* kein TLS\.$/);
  const strict = makeTrackerDial({ ...makeTestSender(), rules: makeAddressRules([]) });
  assert.match(await inGerman(refusalOf(origin, strict)), /WEBHOOK_ALLOW_CIDRS muss die Adresse erlauben$/);
});

test('a stored failure is read in every language, and one of 1.0.0 in English', () => {
  const failure = msg('trackerUnreached', 'git.test', msg('trackerMustBeAllowed'));
  const read = readFailure(storeFailure(failure));
  assert.deepEqual(read, failure);
  const said = languages.map((language) => translate(language, read?.parts ?? []));
  assert.equal(new Set(said).size, languages.length);
  for (const text of said) assert.match(text, /git\.test.*WEBHOOK_ALLOW_CIDRS/);
  for (const former of ['git.test responded with 500', '[::1]:80 cannot be reached: stopped', '[]', '{"a":1}'])
    assert.equal(readFailure(former)?.text, former);
  assert.equal(readFailure(null), null);
});
