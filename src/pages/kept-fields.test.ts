import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testPages } from '../../test/support/web.ts';
import { keptFields, MAX_KEPT_CHARACTERS } from '../../web/lib/kept-fields.ts';

test('a page gives back what was typed, but no secrets, and no more than it has room for', () => {
  const most = 'x'.repeat(MAX_KEPT_CHARACTERS - 'text'.length);
  assert.deepEqual(keptFields({ text: most }), [['text', most]]);
  assert.deepEqual(keptFields({ text: `${most}x`, title: 'Short' }), [['title', 'Short']]);
  assert.deepEqual(keptFields({ password: 'secret', newPassword: 'secret', code: '1', token: 't', name: 'Ada' }), [
    ['name', 'Ada'],
  ]);
});

testPages('a form that is refused comes back small, however large it was', async ({ makeVisitor, makePost }) => {
  await makePost('Dark mode');
  const large = '‹'.repeat(100_000);
  const answers = [
    await makeVisitor().post('/sign-in', { intent: 'link', email: large }),
    await makeVisitor().post('/b/acme/posts/1', { intent: 'edit', x: large }),
    await makeVisitor().post('/b/acme/settings/general', { name: large }),
  ];
  for (const { statusCode, payload } of answers) {
    assert.ok(statusCode >= 400 && statusCode < 500, String(statusCode));
    assert.ok(payload.length < 50_000, `${payload.length} characters`);
  }
});
