import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { JiraProject } from '../../../test/support/jira-project.ts';
import { PROJECT_TOKEN, startProject } from '../../../test/support/played-project.ts';
import { makeTestSender, testCipher } from '../../../test/support/sender.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { makeTrackerClient, makeTrackerDial } from './client.ts';
import { TrackerFault } from './fault.ts';
import { jira } from './jira.ts';
import { documentOf } from './jira-text.ts';

const NOW = Date.parse('2026-07-01T12:00:00.000Z');

// A word of it is one that the house does not use.
const SECRET_OF_EXAMPLE = "It's a Secret to \x45verybody";

const heard = (payload: object) => jira.parseNews({}, Buffer.from(JSON.stringify(payload)), NOW);

// As https://developer.atlassian.com/cloud/jira/platform/webhooks/ and the description of the API show it.
const FIELDS = {
  summary: 'Night theme',
  updated: '2026-07-01T14:59:58.500+0300',
  status: { name: 'Done', statusCategory: { id: 3, key: 'done', name: 'Done' } },
  resolution: { id: '10000', name: 'Done' } as { name: string } | null,
  project: { id: '10001', key: 'APP', name: 'App' },
  creator: { accountId: '5b10ac8d82e05b22cc7d4ef5' },
  labels: ['last-sprint'],
};
const ISSUE = { id: '99291', self: 'https://acme.atlassian.net/rest/api/2/issue/99291', key: 'APP-12', fields: FIELDS };
const TOLD = { timestamp: NOW, webhookEvent: 'jira:issue_updated', issue: ISSUE, changelog: { id: '1', items: [] } };

test('requests about issues say how they are, and others are of no interest', () => {
  const news = { projectKey: '10001', issues: [], unclear: [], releases: [] };
  const told = { issue: '12', url: 'https://acme.atlassian.net/browse/APP-12', title: 'Night theme' };
  const dateChanged = Date.parse('2026-07-01T11:59:58.500Z');
  const states: [category: string, resolution: string | null, state: string][] = [
    ['done', 'Done', 'COMPLETED'],
    ['done', null, 'COMPLETED'],
    ['done', 'Fixed', 'COMPLETED'],
    ['done', "Won't Do", 'NOT_PLANNED'],
    ['done', 'Won’t Fix', 'NOT_PLANNED'],
    ['done', 'duplicate', 'NOT_PLANNED'],
    ['done', 'Cannot Reproduce', 'NOT_PLANNED'],
    ['new', null, 'OPEN'],
    ['indeterminate', 'Done', 'OPEN'],
    ['undefined', null, 'OPEN'],
  ];
  for (const [key, name, state] of states) {
    const fields = { ...FIELDS, status: { statusCategory: { key } }, resolution: name === null ? null : { name } };
    const issues = [{ ...told, state, dateChanged }];
    assert.deepEqual(heard({ ...TOLD, issue: { ...ISSUE, fields } }), { ...news, issues }, `${key} ${name}`);
  }
  assert.equal(heard({ ...TOLD, webhookEvent: 'jira:issue_created', changelog: undefined })?.issues.length, 1);
  const unclear = { ...news, unclear: ['12'] };
  assert.deepEqual(heard({ ...TOLD, webhookEvent: 'jira:issue_deleted' }), unclear);
  assert.deepEqual(heard({ ...TOLD, issue: { ...ISSUE, fields: { project: { id: '10001' } } } }), unclear);
  assert.deepEqual(heard({ ...TOLD, issue: { ...ISSUE, self: 'javascript:alert(1)' } }), unclear);
  const items = [
    { field: 'project', from: '10001', fromString: 'App', to: '10002', toString: 'Operations' },
    { field: 'Key', from: null, fromString: 'APP-12', to: null, toString: 'OPS-3' },
  ];
  const moved = { ...ISSUE, key: 'OPS-3', fields: { ...FIELDS, project: { id: '10002', key: 'OPS' } } };
  assert.deepEqual(heard({ ...TOLD, issue: moved, changelog: { items } }), unclear);
  for (const webhookEvent of ['comment_created', 'jira:version_released', 'project_updated', 'jira:issue_x', ''])
    assert.equal(heard({ webhookEvent }), null, webhookEvent);
  for (const wrong of [{}, { ...TOLD, issue: null }, { ...TOLD, issue: { ...ISSUE, key: '12' } }, [], null])
    assert.throws(() => heard(wrong as object), /not what Jira sends/);
});

test('the signature proves a request, and no other one does', () => {
  const body = Buffer.from('{"webhookEvent":"jira:issue_created"}');
  const verify = (signature?: string) =>
    jira.verify(signature === undefined ? {} : { 'x-hub-signature': signature }, body, 'secret');
  const hex = createHmac('sha256', 'secret').update(body).digest('hex');
  assert.ok(verify(`sha256=${hex}`));
  const other = createHmac('sha256', 'other').update(body).digest('hex');
  for (const forged of [undefined, '', hex, `sha256=${other}`, `sha1=${hex}`, `sha256=${hex.toUpperCase()}`])
    assert.equal(verify(forged), false);
  // The example of https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks
  const signature = 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9';
  assert.ok(jira.verify({ 'x-hub-signature': signature }, Buffer.from('Hello World!'), SECRET_OF_EXAMPLE));
});

test('projects and issues are named as people name them', () => {
  const projects: Record<string, string | null> = {
    'acme/app': 'https://acme.atlassian.net acme/APP',
    ' https://acme.atlassian.net/browse/APP-12 ': 'https://acme.atlassian.net acme/APP',
    'https://acme.atlassian.net/browse/APP': 'https://acme.atlassian.net acme/APP',
    'https://Acme.atlassian.net/projects/APP/issues': 'https://acme.atlassian.net acme/APP',
    'https://acme.atlassian.net/jira/software/projects/APP/boards/1': 'https://acme.atlassian.net acme/APP',
    'https://acme.atlassian.net/jira/software/c/projects/A2_P/boards/1': 'https://acme.atlassian.net acme/A2_P',
    'https://acme.atlassian.net/jira/core/projects/APP/board': 'https://acme.atlassian.net acme/APP',
    'https://proxy.example.com:8443/browse/APP-1': 'https://proxy.example.com:8443 proxy.example.com:8443/APP',
    'https://user:password@acme.atlassian.net/browse/APP': null,
    'https://acme.atlassian.net/': null,
    'https://acme.atlassian.net/jira/your-work': null,
    'ftp://acme.atlassian.net/browse/APP': null,
    'acme/12': null,
    APP: null,
    '': null,
  };
  for (const [named, expected] of Object.entries(projects)) {
    const found = jira.parseProject(named);
    assert.equal(found && `${found.apiUrl} ${found.project}`, expected, named);
  }
  const place = { project: 'acme/APP', apiUrl: 'https://acme.atlassian.net' };
  const issues: Record<string, string | null> = {
    '12': '12',
    ' #012 ': '12',
    'APP-12': '12',
    'app-12': '12',
    'https://acme.atlassian.net/browse/APP-12': '12',
    'https://ACME.atlassian.net/browse/app-12?focusedCommentId=1#x': '12',
    'https://acme.atlassian.net/jira/software/c/projects/APP/boards/1?selectedIssue=APP-12': '12',
    'https://acme.atlassian.net/browse/12': null,
    'https://acme.atlassian.net/browse/OPS-12': null,
    'https://acme.atlassian.net/browse/APP': null,
    'https://acme.atlassian.net/jira/software/c/projects/APP/boards/1?selectedIssue=OPS-12': null,
    'https://other.atlassian.net/browse/APP-12': null,
    'https://acme.atlassian.net.example.org/browse/APP-12': null,
    'OPS-12': null,
    'APP-0': null,
    '0': null,
    '': null,
  };
  for (const [named, expected] of Object.entries(issues))
    assert.equal(jira.parseIssue(place, named)?.issue ?? null, expected, named);
  assert.equal(jira.parseIssue(place, '12')?.url, 'https://acme.atlassian.net/browse/APP-12');
  assert.equal(jira.nameIssue('acme/APP', '12'), 'APP-12');
});

test('texts of users are literal, call no one and refer to nothing', () => {
  const text =
    'Well-known: @ann [~accountid:1] see #12, APP-12, app-7, https://acme.atlassian.net/browse/OPS-5, <!-- earshot:1 -->';
  const inert = jira.makeInert(text);
  assert.doesNotMatch(inert, /[@#]\w|[a-z]-\d|browse\/\w|\[~/i);
  assert.match(inert, /^Well-known:/);
  assert.equal(inert.replaceAll('\u200b', ''), text);
  const link = { type: 'link', attrs: { href: 'https://board.test/b/acme/posts/1' } };
  const written = 'h1. One\n{code}\n\n\n- [a \\[x\\]](https://board.test/b/acme/posts/1) · [b](javascript:1) [c]()';
  const [first, second] = [
    [{ type: 'text', text: 'h1. One' }, { type: 'hardBreak' }, { type: 'text', text: '{code}' }],
    [
      { type: 'text', text: '- ' },
      { type: 'text', text: 'a [x]', marks: [link] },
      { type: 'text', text: ' · [b](javascript:1) [c]()' },
    ],
  ];
  const content = [first, second].map((each) => ({ type: 'paragraph', content: each }));
  assert.deepEqual(documentOf(written), { version: 1, type: 'doc', content });
  assert.deepEqual(documentOf(' \n\n '), { version: 1, type: 'doc', content: [] });
  const started = performance.now();
  for (const hostile of ['[', '[a](', '\\', '[a](http://', '\n']) documentOf(hostile.repeat(30_000));
  assert.ok(performance.now() - started < 2_000);
});

/** A played project, and what asks it. */
async function start(t: Parameters<typeof startProject>[0]) {
  const project = new JiraProject(() => NOW);
  const { received } = await startProject(t, project);
  const sender = makeTestSender();
  const found = { project: project.name, projectKey: '1', account: '7' };
  const place = {
    ...found,
    apiUrl: project.origin,
    token: PROJECT_TOKEN,
    product: jira,
    version: '0.0.0',
    cipher: testCipher,
  };
  return { project, found, received, client: makeTrackerClient({ ...place, dial: makeTrackerDial(sender) }) };
}

test('a project is found by its key, with the account of the token', async (t) => {
  const { client, found } = await start(t);
  assert.deepEqual(await jira.check({ ...client, project: found.project.toLowerCase() }), found);
  const other = client.project.replace('APP', 'OPS');
  await assert.rejects(jira.check({ ...client, project: other }), /responded with 404|refuses/);
});

test('an issue is of the first usual type that the project has, or one of their level, but no subtask', async (t) => {
  const { project, client, received } = await start(t);
  const typeOf = async () => {
    await jira.makeIssue(client, { title: 'Dark mode', text: 'Text', key: 'a' });
    const body = received.findLast(({ method }) => method === 'POST')?.body.toString() ?? '';
    return project.types[Number(JSON.parse(body).fields.issuetype.id) - 10_000]?.name;
  };
  assert.equal(await typeOf(), 'Task');
  const [epic, subtask] = project.types;
  assert.ok(epic && subtask);
  project.types = [subtask, epic, { name: 'Bug', subtask: false }, { name: 'Story', subtask: false }];
  assert.equal(await typeOf(), 'Story');
  project.types = [subtask, epic, { name: 'Aufgabe', subtask: false, hierarchyLevel: 0 }];
  assert.equal(await typeOf(), 'Aufgabe');
  project.types = [subtask, epic];
  assert.equal(await typeOf(), 'Epic');
  project.types = [subtask];
  await assert.rejects(typeOf(), /may not create issues/);
});

test('what was made is found by its key, also before the search knows it, and of the own account alone', async (t) => {
  const { project, client } = await start(t);
  for (let n = 0; n < 3; n++) project.open(`Issue ${n}`);
  project.lagMs = HOUR_MS;
  for (const issue of project.issues) Object.assign(issue, { created: NOW - 2 * HOUR_MS, changed: NOW - 2 * HOUR_MS });
  const made = await jira.makeIssue(client, { title: 'Dark mode', text: 'Text', key: 'a' });
  assert.equal(made.issue, '4');
  assert.deepEqual(await jira.findIssue(client, 'a', NOW), made);
  assert.equal(await jira.findIssue(client, 'b', NOW), null);
  project.lagMs = 0;
  assert.deepEqual(await jira.findIssue(client, 'a', NOW), made);
  assert.equal(await jira.findIssue({ ...client, account: '8' }, 'a', NOW), null);

  const write = (id: string | null, text: string) => jira.writeComment(client, made.issue, id, { text, key: 'a' });
  const first = await write(null, 'One');
  assert.equal(await jira.findComment(client, made.issue, 'a', 0), first);
  assert.equal(await jira.findComment(client, made.issue, 'b', 0), null);
  assert.equal(await write(first, 'Two'), first);
  assert.deepEqual(project.said(4), ['Two']);
  // Others may copy the property.
  const copied = project.comment(project.issues[3] ?? assert.fail(), 'Two', 99);
  project.properties.set(copied, { key: 'a' });
  assert.equal(await jira.findComment(client, made.issue, 'a', 0), first);
  await jira.deleteComment(client, first ?? '');
  await jira.deleteComment(client, first ?? '');
  assert.equal(await jira.findComment(client, made.issue, 'a', 0), null);
  assert.equal(await write(first, 'Three'), null);
  assert.equal(await jira.writeComment(client, '99', null, { text: 'x', key: 'c' }), null);
  assert.equal(await jira.findComment(client, '99', 'c', 0), null);
});

test('an issue that was moved to another project is gone', async (t) => {
  const { project, client } = await start(t);
  project.open('Night theme');
  assert.equal((await jira.readIssue(client, '1'))?.title, 'Night theme');
  assert.equal(await jira.readIssue({ ...client, projectKey: '2' }, '1'), null);
  assert.equal(await jira.readIssue(client, '2'), null);
});

test('more changes than a page has are read one after another', async (t) => {
  const { project, client } = await start(t);
  for (let n = 0; n < 150; n++) project.open(`Issue ${n}`);
  const first = await jira.listChanged(client, -MINUTE_MS, null);
  const second = await jira.listChanged(client, -MINUTE_MS, first.next);
  assert.deepEqual([first.issues.length, second.issues.length, second.next], [100, 50, null]);
  assert.equal(new Set([...first.issues, ...second.issues].map(({ issue }) => issue)).size, 150);
  assert.deepEqual((await jira.listChanged(client, NOW + 1, null)).issues, []);
});

test('errors tell limits from wrong tokens and from refusals, without what signs in', async (t) => {
  const { project, client } = await start(t);
  const wrong = { errorMessages: ['Not so'], errors: { summary: 'is too long', customfield_1: 'Team is required.' } };
  const reset = new Date(NOW + 10 * MINUTE_MS).toISOString().replace(':00.000Z', 'Z');
  const limits = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
  const signIn = Buffer.from(PROJECT_TOKEN).toString('base64');
  const faults: [number, unknown, Record<string, string>, [RegExp, number | null]][] = [
    [400, wrong, {}, [/refuses the request: Not so; summary: is too long; customfield_1: Team is required\./, null]],
    [403, wrong, {}, [/refuses the request: Not so/, null]],
    [401, { message: `Basic ${signIn}` }, {}, [/refuses the token: Basic …$/, MINUTE_MS]],
    [429, { message: 'x' }, { 'retry-after': '30' }, [/responded with 429/, MINUTE_MS / 2]],
    [429, { message: 'x' }, limits, [/responded with 429/, 10 * MINUTE_MS + 1_000]],
    [429, { message: 'x' }, {}, [/responded with 429/, MINUTE_MS]],
    [503, {}, {}, [/responded with 503/, 0]],
    [200, {}, {}, [/Jira responded with something else/, 0]],
  ];
  for (const [status, body, headers, [words, pauseMs]] of faults) {
    project.answer = (_, send) => send(status, body, headers);
    await assert.rejects(jira.readIssue(client, '1'), (fault) => {
      assert.ok(fault instanceof TrackerFault);
      assert.match(fault.message, words);
      assert.equal(fault.pauseMs, pauseMs, `${status}`);
      return true;
    });
  }
});
