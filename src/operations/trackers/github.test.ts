import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { sign } from '@octokit/webhooks-methods';
import { github } from './github.ts';

type Examples = { name: string; examples: { action?: string; [of: string]: unknown }[] }[];
/** What GitHub's documentation shows of each event, and what people have seen: https://github.com/octokit/webhooks */
const published: Examples = createRequire(import.meta.url)('@octokit/webhooks-examples/api.github.com/index.json');

const examplesOf = (event: string) => published.find(({ name }) => name === event)?.examples ?? assert.fail(event);

const heard = (event: string, payload: object) =>
  github.parseNews({ 'x-github-event': event }, Buffer.from(JSON.stringify(payload)), 0);

test('every published example of an event is understood', () => {
  const seen: Record<string, number> = {};
  for (const event of ['issues', 'pull_request', 'release']) {
    for (const example of examplesOf(event)) {
      const news = heard(event, example);
      assert.ok(news, `${event} ${example.action}`);
      const { issues, unclear, releases } = news;
      if (event !== 'release') assert.equal(issues.length + unclear.length, 1, `${event} ${example.action}`);
      for (const { issue, url, dateChanged } of issues) {
        assert.match(url, new RegExp(`^https://github\\.com/[^/]+/[^/]+/(issues|pull)/${issue}$`));
        assert.ok(dateChanged > 0 && Number.isSafeInteger(dateChanged));
      }
      for (const { state } of issues) seen[`${event} ${state}`] = (seen[`${event} ${state}`] ?? 0) + 1;
      if (releases.length > 0) seen[event] = (seen[event] ?? 0) + releases.length;
    }
  }
  assert.deepEqual(Object.keys(seen).sort(), [
    'issues OPEN',
    'pull_request NOT_PLANNED',
    'pull_request OPEN',
    'release',
  ]);
});

test('every other event of GitHub is of no interest, and no reason for an error', () => {
  for (const { name, examples } of published) {
    if (['issues', 'pull_request', 'release'].includes(name)) continue;
    for (const example of examples) assert.equal(heard(name, example), null, name);
  }
});

test('the signature of GitHub proves a request, and no other one does', async () => {
  const body = '{"zen":"Größe"}';
  const signed = await sign('secret', body);
  const verify = (signature: string | undefined, text = body) =>
    github.verify(signature === undefined ? {} : { 'x-hub-signature-256': signature }, Buffer.from(text), 'secret');
  assert.ok(verify(signed));
  for (const forged of [
    undefined,
    '',
    signed.slice(0, -1),
    `${signed}0`,
    signed.replace('sha256', 'sha1'),
    'ü'.repeat(71),
  ])
    assert.equal(verify(forged), false);
  assert.equal(verify(signed, `${body} `), false);
});

test('projects and issues are named as people name them', () => {
  const projects: Record<string, string | null> = {
    'acme/app': 'https://api.github.com acme/app',
    ' https://github.com/acme/app.git ': 'https://api.github.com acme/app',
    'https://www.github.com/acme/app/issues/12': 'https://api.github.com acme/app',
    'https://git.example.com:8443/acme/app': 'https://git.example.com:8443/api/v3 acme/app',
    'https://user:password@github.com/acme/app': null,
    'https://github.com/acme': null,
    'ftp://github.com/acme/app': null,
    acme: null,
    'acme/app/other': null,
    '': null,
  };
  for (const [named, expected] of Object.entries(projects)) {
    const found = github.parseProject(named);
    assert.equal(found && `${found.apiUrl} ${found.project}`, expected, named);
  }
  const project = { project: 'acme/app', apiUrl: 'https://api.github.com' };
  const issues: Record<string, string | null> = {
    '12': '12',
    ' #012 ': '12',
    'https://github.com/acme/app/issues/12': '12',
    'https://github.com/Acme/App/pull/12/files?w=1#diff': '12',
    'https://github.com/acme/app/issues/12#issuecomment-1': '12',
    'https://github.com/acme/other/issues/12': null,
    'https://github.com.example.org/acme/app/issues/12': null,
    'https://github.com/acme/app/issues': null,
    '0': null,
    '-1': null,
    twelve: null,
  };
  for (const [named, expected] of Object.entries(issues))
    assert.equal(github.parseIssue(project, named)?.issue ?? null, expected, named);
});

test('texts of users call no one and close nothing', () => {
  const text =
    '@octocat @acme/team &commat;octocat &#64;octocat fixes #12, GH-12, acme/app#1, https://github.com/acme/app/issues/5, acme/app/pull/6 and 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567 in 2026 <!-- earshot:1 --> a@b.example';
  const inert = github.makeInert(text);
  assert.doesNotMatch(inert, /[@#&]\w|GH-\d|(issues|pull)\/\d|[\da-f]{40}|<!--/);
  assert.match(inert, / in 2026 /);
  assert.equal(inert.replaceAll('\u200b', ''), text);
});

test('a release names issues by number and by address, each once', () => {
  const release = (body: string) =>
    heard('release', {
      action: 'published',
      repository: { id: 1, full_name: 'acme/app' },
      release: { tag_name: 'v1', name: null, body, draft: false, published_at: '2026-01-01T00:00:00Z' },
    })?.releases[0]?.issues;
  const body =
    '- Fix #12 (#13) by @ann in https://github.com/acme/app/pull/14\n- #12, https://github.com/acme/other/pull/15, x#16, &#17;';
  assert.deepEqual(release(body), ['12', '13', '14']);
  assert.equal(release(Array.from({ length: 5_000 }, (_, n) => `#${n + 1}`).join(' '))?.length, 1_000);
});
