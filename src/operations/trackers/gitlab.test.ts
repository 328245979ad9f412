import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gitlab } from './gitlab.ts';

const heard = (event: string, payload: object) =>
  gitlab.parseNews({ 'x-gitlab-event': event }, Buffer.from(JSON.stringify(payload)), 0);

// https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events, and what
// https://gitlab.com/gitlab-org/gitlab/-/issues/20191 shows of the button Test, which names no action.
const project = { id: 1, path_with_namespace: 'gitlabhq/gitlab-test' };
const attributes = { id: 301, iid: 23, title: 'New API', state: 'opened', updated_at: '2017-09-15 16:52:00 UTC' };

test('requests about issues say which are to be read, and others are of no interest', () => {
  const payload = {
    object_kind: 'issue',
    project,
    object_attributes: { ...attributes, action: 'open', type: 'Issue' },
  };
  const expected = { projectKey: '1', issues: [], unclear: ['23'], releases: [] };
  for (const event of ['Issue Hook', 'Confidential Issue Hook', 'Work Item Hook'])
    assert.deepEqual(heard(event, payload), expected);
  assert.deepEqual(heard('Issue Hook', { object_kind: 'issue', project, object_attributes: attributes }), expected);
  for (const event of ['Push Hook', 'Note Hook', 'Merge Request Hook', 'Pipeline Hook', 'Emoji Hook', ''])
    assert.equal(heard(event, payload), null, event);
  assert.equal(gitlab.parseNews({}, Buffer.from('{}'), 0), null);
  for (const wrong of [{}, { object_attributes: {} }, { object_attributes: { iid: -1 } }, [], null])
    assert.throws(() => heard('Issue Hook', wrong as object), /not what GitLab sends/);
});

const RELEASED = {
  object_kind: 'release',
  action: 'create',
  tag: 'v1.1',
  name: null,
  released_at: '2020-11-02 12:55:12 UTC',
  project,
};

test('a release names issues by number and by address, each once', () => {
  // The date as https://docs.gitlab.com/user/project/integrations/webhook_events/#release-events has it.
  const release = (description: string, changes = {}) =>
    heard('Release Hook', { ...RELEASED, description, ...changes })?.releases;
  const notes =
    '- Fix #12 (!13) by @ann\n- #12, https://gitlab.com/gitlabhq/gitlab-test/-/issues/14, https://gitlab.com/other/app/-/issues/15, x#16, &#17; https://gitlab.com/gitlabhq/gitlab-test/-/work_items/18';
  const datePublished = Date.parse('2020-11-02T12:55:12Z');
  assert.deepEqual(release(notes), [{ name: 'v1.1', datePublished, issues: ['12', '14', '18'] }]);
  assert.deepEqual(release(notes, { action: 'delete' }), []);
  assert.deepEqual(release(notes, { released_at: 'soon' }), []);
  const many = Array.from({ length: 5_000 }, (_, n) => `#${n + 1}`).join(' ');
  assert.equal(release(many)?.[0]?.issues.length, 1_000);
  assert.deepEqual(release(`/${'a/'.repeat(50_000)}`)?.[0]?.issues, []);
});

test('the secret token proves a request, and no other one does', () => {
  const verify = (token: string | undefined) =>
    gitlab.verify(token === undefined ? {} : { 'x-gitlab-token': token }, Buffer.from('{}'), 'secret');
  assert.ok(verify('secret'));
  for (const forged of [undefined, '', 'secre', 'secret0', 'SECRET', 'ü'.repeat(6)])
    assert.equal(verify(forged), false);
});

test('projects and issues are named as people name them', () => {
  const projects: Record<string, string | null> = {
    'acme/app': 'https://gitlab.com/api/v4 acme/app',
    'acme/team/app': 'https://gitlab.com/api/v4 acme/team/app',
    ' https://gitlab.com/acme/app.git ': 'https://gitlab.com/api/v4 acme/app',
    'https://gitlab.com/acme/team/app/-/issues/12': 'https://gitlab.com/api/v4 acme/team/app',
    'https://git.example.com:8443/acme/app/': 'https://git.example.com:8443/api/v4 acme/app',
    'https://user:password@gitlab.com/acme/app': null,
    'https://gitlab.com/acme': null,
    'ftp://gitlab.com/acme/app': null,
    'acme/../app?x': null,
    acme: null,
    '': null,
  };
  for (const [named, expected] of Object.entries(projects)) {
    const found = gitlab.parseProject(named);
    assert.equal(found && `${found.apiUrl} ${found.project}`, expected, named);
  }
  const place = { project: 'acme/app', apiUrl: 'https://gitlab.com/api/v4' };
  const issues: Record<string, string | null> = {
    '12': '12',
    ' #012 ': '12',
    'https://gitlab.com/acme/app/-/issues/12': '12',
    'https://gitlab.com/acme/app/issues/12': '12',
    'https://gitlab.com/Acme/App/-/work_items/12?show=x#note_1': '12',
    'https://gitlab.com/acme/other/-/issues/12': null,
    'https://gitlab.com/acme/app/-/merge_requests/12': null,
    'https://gitlab.com.example.org/acme/app/-/issues/12': null,
    '0': null,
    '!12': null,
  };
  for (const [named, expected] of Object.entries(issues))
    assert.equal(gitlab.parseIssue(place, named)?.issue ?? null, expected, named);
});

test('texts of users call no one, refer to nothing and are no commands', () => {
  const text =
    'Please\n/close\n  /assign @ann\n@acme/team see #12, !3, ~bug, %"v1", &4, $5, GL-6, https://gitlab.com/acme/app/-/issues/5, 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 <!-- earshot:1 -->';
  const inert = gitlab.makeInert(text);
  assert.doesNotMatch(inert, /[@#!~%&$][\w"]|GL-\d|issues\/\d|[\da-f]{40}|<!--|^\s*\//m);
  assert.equal(inert.replaceAll('\u200b', ''), text);
});
