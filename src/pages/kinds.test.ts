import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kindOfPage } from './kinds.ts';

test('every page has a kind, and whatever else is asked for is one kind', () => {
  const routes = readFileSync(new URL('../../web/routes.ts', import.meta.url), 'utf8');
  const paths = [...routes.matchAll(/^( *)route\('([^']+)'/gm)].map(([, indent = '', path = '']) => ({
    depth: indent.length,
    first: path.split('/')[0] ?? '',
  }));
  const outer = paths.filter(({ depth, first }) => depth === 2 && first !== 'b' && first !== '*');
  const ofBoard = paths.filter(({ depth, first }) => depth === 4 && first !== '*');
  assert.ok(outer.length > 5 && ofBoard.length > 5);
  for (const { first } of outer) assert.equal(kindOfPage(`/${first}/1`), first);
  for (const { first } of ofBoard) assert.equal(kindOfPage(`/b/acme/${first}/1`), first);
  const others = ['/nothing', '/b/acme/nothing', '/constructor', '/b/acme/__proto__', '/posts1/x', '/assets/gone.js'];
  for (const path of others) assert.equal(kindOfPage(path), 'other', path);
});

test('pages that scripts ask for are of the kind of the page', () => {
  const kinds = [
    '/',
    '/_root.data',
    '/b/acme',
    '/b/acme.data',
    '/b/acme/posts/7.data',
    '/sign-in.data',
    '/embed/b/acme',
  ].map(kindOfPage);
  assert.deepEqual(kinds, ['home', 'home', 'board', 'board', 'posts', 'sign-in', 'embed']);
});
