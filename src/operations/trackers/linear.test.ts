import assert from 'node:assert/strict';
import { createHmac, hash } from 'node:crypto';
import { test } from 'node:test';
import { LinearProject } from '../../../test/support/linear-project.ts';
import { PROJECT_TOKEN, startProject } from '../../../test/support/played-project.ts';
import { makeTestSender, testCipher } from '../../../test/support/sender.ts';
import { makeCipher } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { makeTrackerClient, makeTrackerDial } from './client.ts';
import { TrackerFault } from './fault.ts';
import { linear } from './linear.ts';

const NOW = Date.parse('2026-07-01T12:00:00.000Z');

const heard = (payload: object, now = NOW) => linear.parseNews({}, Buffer.from(JSON.stringify(payload)), now);

// As https://linear.app/developers/webhooks and IssueWebhookPayload of the schema describe it.
const DATA = {
  id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d',
  number: 12,
  identifier: 'ENG-12',
  title: 'Night theme',
  url: 'https://linear.app/acme/issue/ENG-12/night-theme',
  updatedAt: '2026-07-01T11:59:58.500Z',
  archivedAt: null,
  teamId: 'team-1',
  team: { id: 'team-1', key: 'ENG', name: 'Engineering' },
  stateId: 'state-1',
  state: { id: 'state-1', name: 'Done', type: 'completed', color: '#fff' },
  previousIdentifiers: [],
};
const TOLD = { action: 'update', type: 'Issue', organizationId: 'acme', webhookTimestamp: NOW, data: DATA };

test('requests about issues say how they are, and others are of no interest', () => {
  const news = { projectKey: 'team-1', issues: [], unclear: [], releases: [] };
  const { title, url } = DATA;
  const dateChanged = Date.parse(DATA.updatedAt);
  const states = {
    completed: 'COMPLETED',
    canceled: 'NOT_PLANNED',
    duplicate: 'NOT_PLANNED',
    triage: 'OPEN',
    backlog: 'OPEN',
    unstarted: 'OPEN',
    started: 'OPEN',
  };
  for (const [type, state] of Object.entries(states))
    assert.deepEqual(heard({ ...TOLD, data: { ...DATA, state: { type } } }), {
      ...news,
      issues: [{ issue: '12', url, title, state, dateChanged }],
    });
  const unclear = { ...news, unclear: ['12'] };
  assert.deepEqual(heard({ ...TOLD, action: 'remove' }), unclear);
  assert.deepEqual(heard({ ...TOLD, data: { ...DATA, trashed: true } }), unclear);
  assert.deepEqual(heard({ ...TOLD, data: { ...DATA, url: undefined } }), unclear);
  // Closed issues are archived after some months.
  assert.equal(heard({ ...TOLD, data: { ...DATA, archivedAt: DATA.updatedAt } })?.issues.length, 1);
  const moved = { ...DATA, number: 3, identifier: 'OPS-3', teamId: 'team-2', previousIdentifiers: ['ENG-12'] };
  assert.deepEqual(heard({ ...TOLD, data: moved, updatedFrom: { teamId: 'team-1', number: 12 } }), unclear);
  const often = { ...moved, previousIdentifiers: Array.from({ length: 1_000 }, (_, n) => `ENG-${(n % 500) + 1}`) };
  const former = heard({ ...TOLD, data: often, updatedFrom: { teamId: 'team-1' } })?.unclear;
  assert.deepEqual(
    former,
    Array.from({ length: 100 }, (_, n) => String(n + 1)),
  );
  for (const type of ['Comment', 'Project', 'IssueLabel', '']) assert.equal(heard({ ...TOLD, type }), null, type);
  for (const wrong of [{}, { ...TOLD, data: { ...DATA, number: 'x' } }, { ...TOLD, data: null }, [], null])
    assert.throws(() => heard(wrong as object), /not what Linear sends/);
});

test('requests that are not of this minute are not believed: the issue is read', () => {
  for (const now of [NOW, NOW + MINUTE_MS, NOW - MINUTE_MS]) assert.deepEqual(heard(TOLD, now)?.unclear, []);
  for (const now of [NOW + MINUTE_MS + 1, NOW - MINUTE_MS - 1]) {
    const { issues, unclear } = heard(TOLD, now) ?? {};
    assert.deepEqual([issues, unclear], [[], ['12']]);
  }
});

test('the signature proves a request, and no other one does', () => {
  const body = Buffer.from('{"action":"create"}');
  const verify = (signature: string | undefined) =>
    linear.verify(signature === undefined ? {} : { 'linear-signature': signature }, body, 'secret');
  const signature = createHmac('sha256', 'secret').update(body).digest('hex');
  assert.ok(verify(signature));
  const other = createHmac('sha256', 'other').update(body).digest('hex');
  for (const forged of [undefined, '', other, signature.slice(1), signature.toUpperCase(), `sha256=${signature}`])
    assert.equal(verify(forged), false);
});

test('teams and issues are named as people name them', () => {
  const teams: Record<string, string | null> = {
    eng: 'https://api.linear.app ENG',
    'acme/ENG': 'https://api.linear.app acme/ENG',
    ' https://linear.app/acme/team/ENG/all ': 'https://api.linear.app acme/ENG',
    'https://linear.app/acme/team/ENG': 'https://api.linear.app acme/ENG',
    'https://www.linear.app/acme/issue/ENG-12/night-theme': 'https://api.linear.app acme/ENG',
    'https://proxy.example.com:8443/acme/team/ENG': 'https://proxy.example.com:8443 acme/ENG',
    'https://user:password@linear.app/acme/team/ENG': null,
    'https://linear.app/acme': null,
    'ftp://linear.app/acme/team/ENG': null,
    'acme/ENG/x': null,
    '12': null,
    '': null,
  };
  for (const [named, expected] of Object.entries(teams)) {
    const found = linear.parseProject(named);
    assert.equal(found && `${found.apiUrl} ${found.project}`, expected, named);
  }
  const place = { project: 'acme/ENG', apiUrl: 'https://api.linear.app' };
  const issues: Record<string, string | null> = {
    '12': '12',
    ' #012 ': '12',
    'ENG-12': '12',
    'eng-12': '12',
    'https://linear.app/acme/issue/ENG-12': '12',
    'https://www.linear.app/Acme/issue/eng-12/night-theme?x=1#comment-5a': '12',
    'OPS-12': null,
    'https://linear.app/acme/issue/OPS-12/x': null,
    'https://linear.app/other/issue/ENG-12/x': null,
    'https://linear.app.example.org/acme/issue/ENG-12': null,
    'https://linear.app/acme/team/ENG/all': null,
    'ENG-0': null,
    '0': null,
  };
  for (const [named, expected] of Object.entries(issues))
    assert.equal(linear.parseIssue(place, named)?.issue ?? null, expected, named);
  assert.equal(linear.parseIssue(place, '12')?.url, 'https://linear.app/acme/issue/ENG-12');
});

test('texts of users call no one, refer to nothing and are no HTML', () => {
  const text =
    'Please @ann see #12, ENG-12, eng-7, https://linear.app/acme/issue/OPS-5/x, https://linear.app/acme/profiles/ann, <user id="1">, <b>, </b>, <!-- earshot:1 -->';
  const inert = linear.makeInert(text);
  assert.doesNotMatch(inert, /[@#]\w|[a-z]-\d|linear\.app\/\w|<[\w/!]/i);
  assert.equal(inert.replaceAll('\u200b', ''), text);
});

/** A played team, and what asks it. */
async function start(t: Parameters<typeof startProject>[0]) {
  const project = new LinearProject(() => NOW);
  await startProject(t, project);
  const sender = makeTestSender();
  const found = { project: 'acme/APP', projectKey: '1', account: '7' };
  const place = {
    ...found,
    apiUrl: project.origin,
    token: PROJECT_TOKEN,
    product: linear,
    version: '0.0.0',
    cipher: testCipher,
  };
  return { project, found, client: makeTrackerClient({ ...place, dial: makeTrackerDial(sender) }) };
}

test('a team is found by its key, in the workspace of the API key', async (t) => {
  const { client, found } = await start(t);
  assert.deepEqual(await linear.check({ ...client, project: 'app' }), found);
  assert.deepEqual(await linear.check({ ...client, project: 'Acme/APP' }), found);
  await assert.rejects(linear.check({ ...client, project: 'other/APP' }), /one of the workspace acme/);
  await assert.rejects(linear.check({ ...client, project: 'acme/OPS' }), /acme has no team OPS/);
});

test('the webhook is made once, and enabled again with its secret', async (t) => {
  const { project, client } = await start(t);
  const hook = { url: 'https://board.test/hook', secret: 'one' };
  project.isAdmin = false;
  await assert.rejects(async () => linear.makeHook?.(client, hook), /Access denied/);
  project.isAdmin = true;
  await linear.makeHook?.(client, hook);
  Object.assign(project.hooks[0] ?? {}, { enabled: false });
  await linear.makeHook?.(client, { ...hook, secret: 'two' });
  assert.deepEqual(
    project.hooks.map(({ id, ...rest }) => rest),
    [{ ...hook, secret: 'two', teamId: '1', label: 'Earshot', resourceTypes: ['Issue'], enabled: true }],
  );
  // One of another team, or of all teams, leads to the same address: it stays as it is.
  for (const teamId of ['2', undefined]) {
    project.hooks.splice(0, project.hooks.length, { id: 'other', ...hook, enabled: false, ...(teamId && { teamId }) });
    await linear.makeHook?.(client, hook);
    assert.deepEqual(
      project.hooks.map(({ enabled, ...each }) => [each.teamId, enabled]),
      [
        [teamId, false],
        ['1', true],
      ],
    );
  }
});

test('what exists by its key is not made again, and ids of deleted comments are passed over', async (t) => {
  const { project, client } = await start(t);
  const issue = await linear.makeIssue(client, { title: 'Dark mode', text: 'Text', key: 'a' });
  await assert.rejects(linear.makeIssue(client, { title: 'Dark mode', text: 'Text', key: 'a' }), /conflict on insert/);
  assert.deepEqual(await linear.findIssue(client, 'a', 0), issue);
  assert.equal(await linear.findIssue(client, 'b', 0), null);
  const write = (id: string | null, text: string) => linear.writeComment(client, issue.issue, id, { text, key: 'a' });
  const first = await write(null, 'One');
  assert.equal(await write(null, 'Two'), first);
  assert.equal(await linear.findComment(client, issue.issue, 'a', 0), first);
  assert.deepEqual(project.said(1), ['Two']);
  await linear.deleteComment(client, first ?? '');
  await linear.deleteComment(client, first ?? '');
  assert.equal(await write(first, 'Three'), null);
  const second = await write(null, 'Three');
  assert.notEqual(second, first);
  assert.equal(await linear.findComment(client, issue.issue, 'a', 0), second);
  // One of someone else that has taken an id is left alone.
  Object.assign(project.comments[0] ?? {}, { by: 99 });
  assert.equal(await linear.findComment(client, issue.issue, 'a', 0), null);
  await write(null, 'Four');
  assert.deepEqual(project.said(1), ['Three', 'Four']);
  assert.equal(await linear.writeComment(client, '99', null, { text: 'x', key: 'c' }), null);
});

test('ids of what is made cannot be guessed, and those of 1.0.0 are found', async (t) => {
  const { project, client } = await start(t);
  const { id = '' } = await make('a');
  assert.notEqual(id, formerId('a'));
  const elsewhere = { ...client, nameOf: (text: string) => makeCipher('another key').name(text, 'x') };
  assert.equal(await linear.findIssue(elsewhere, 'a', 0), null);
  // As 1.0.0 has made an issue and a comment without getting the response.
  const former = Object.assign(project.open('Dark mode'), { id: formerId('b') });
  project.comment(former, 'Votes: 1', 7, formerId('b comment 1'));
  assert.equal((await linear.findIssue(client, 'b', 0))?.issue, String(former.number));
  const comment = await linear.findComment(client, String(former.number), 'b', 0);
  assert.equal(comment, formerId('b comment 1'));
  const write = { text: 'Votes: 2', key: 'b' };
  assert.equal(await linear.writeComment(client, String(former.number), comment, write), comment);
  assert.deepEqual(project.said(former.number), ['Votes: 2']);

  async function make(key: string) {
    await linear.makeIssue(client, { title: 'Dark mode', text: 'Text', key });
    return project.issues.at(-1) ?? assert.fail();
  }
});

/** The ids of 1.0.0. */
function formerId(key: string): string {
  const digits = hash('sha256', `earshot ${key}`, 'hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

test('more changes than a page has are read one after another', async (t) => {
  const { project, client } = await start(t);
  for (let n = 0; n < 150; n++) project.open(`Issue ${n}`);
  const first = await linear.listChanged(client, 0, null);
  const second = await linear.listChanged(client, 0, first.next);
  assert.deepEqual([first.issues.length, second.issues.length, second.next], [100, 50, null]);
  assert.equal(new Set([...first.issues, ...second.issues].map(({ issue }) => issue)).size, 150);
});

test('errors tell limits from wrong keys and from refusals, whatever their status', async (t) => {
  const { project, client } = await start(t);
  const faults: [status: number, code: string, headers: Record<string, string>, expected: [RegExp, number | null]][] = [
    [400, 'RATELIMITED', {}, [/limits requests: Too much/, MINUTE_MS]],
    [400, 'RATELIMITED', limited('requests'), [/limits requests/, 11 * MINUTE_MS]],
    [200, 'RATELIMITED', limited('complexity'), [/limits requests/, 11 * MINUTE_MS]],
    [400, 'AUTHENTICATION_ERROR', {}, [/refuses the token: Too much/, MINUTE_MS]],
    [401, 'AUTHENTICATION_ERROR', {}, [/refuses the token: Too much/, MINUTE_MS]],
    [200, 'INPUT_ERROR', {}, [/refuses the request: Too much: Say less/, null]],
    [400, 'GRAPHQL_VALIDATION_FAILED', {}, [/refuses the request: Too much/, null]],
    [503, 'INTERNAL', {}, [/responded with 503/, 0]],
  ];
  for (const [status, code, headers, [words, pauseMs]] of faults) {
    const error = { message: 'Too much', extensions: { code, userPresentableMessage: 'Say less' } };
    project.answer = (_, send) => send(status, { data: null, errors: [error] }, headers);
    await assert.rejects(linear.readIssue(client, '1'), (fault) => {
      assert.ok(fault instanceof TrackerFault);
      assert.match(fault.message, words);
      const isNear = pauseMs === fault.pauseMs || Math.abs((fault.pauseMs ?? 0) - (pauseMs ?? 0)) < MINUTE_MS;
      assert.ok(isNear && (fault.pauseMs === null) === (pauseMs === null), `${code} ${fault.pauseMs}`);
      return true;
    });
  }
  project.answer = (_, send) => send(200, { data: { team: null } });
  await assert.rejects(linear.readIssue(client, '1'), /Linear responded with something else/);
});

/** A limit of Linear that is renewed in ten minutes. */
const limited = (of: string) => ({
  [`x-ratelimit-${of}-remaining`]: '0',
  [`x-ratelimit-${of}-reset`]: String(NOW + 10 * MINUTE_MS),
});
