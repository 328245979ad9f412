import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkToken } from '../../src/identity/sso/token.ts';

const DOCS = fileURLToPath(new URL('../../docs/sso.md', import.meta.url));
const SECRET = 'the secret of the snippets';

/** How a snippet is run, by the language of its block. */
const languages: Record<string, { file: string; command: string; args: string[]; version: string }> = {
  js: { file: 'sign.mjs', command: process.execPath, args: [], version: '--version' },
  python: { file: 'sign.py', command: 'python3', args: [], version: '--version' },
  php: { file: 'sign.php', command: 'php', args: [], version: '--version' },
  ruby: { file: 'sign.rb', command: 'ruby', args: [], version: '--version' },
  go: { file: 'sign.go', command: 'go', args: ['run'], version: 'version' },
};

test('the snippets sign tokens that are accepted, in every language that is here', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-sso-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const blocks = [...readFileSync(DOCS, 'utf8').matchAll(/```(\w+)\n(.*?)```/gs)];
  assert.deepEqual(blocks.map(([, language]) => language).sort(), Object.keys(languages).sort());
  const here = blocks.filter(([, language = '']) => {
    const { command = '', version = '' } = languages[language] ?? {};
    return spawnSync(command, [version]).status === 0;
  });
  t.diagnostic(`run: ${here.map(([, language]) => language).join(', ')}`);
  assert.ok(here.length >= 1);
  for (const [, language = '', code = ''] of here) {
    const { file = '', command = '', args = [] } = languages[language] ?? {};
    writeFileSync(join(folder, file), code);
    const env = { ...process.env, SSO_SECRET: SECRET };
    const { stdout, stderr } = spawnSync(command, [...args, file], { cwd: folder, env, encoding: 'utf8' });
    const rules = { keys: { secrets: [SECRET] }, isExpiryOptional: false, isRoleAllowed: false, attributeClaims: [] };
    const { person, refusal } = await checkToken(stdout.trim(), rules, Date.now());
    assert.equal(refusal?.text, undefined, `${language}: ${stderr}`);
    assert.deepEqual(
      [person?.id, person?.profile],
      ['42', { name: 'Ada Lovelace', email: 'ada@example.com' }],
      language,
    );
  }
});
