import assert from 'node:assert/strict';
import jsonwebtoken from 'jsonwebtoken';
import { testCommandLine } from '../support/command-line.ts';
import { startServer } from '../support/process.ts';

const TYPED = 'a secret of another product'.replaceAll(' ', '-').padEnd(32, '!');

testCommandLine('single sign-on is turned on, and its secret changed, next to a running server', async (line, t) => {
  const { run, json } = line;
  const { pid } = await json('board', 'create', '--name', 'Acme');
  assert.equal((await run('sso', 'show')).stdout, 'Single sign-on is off.\n');
  const { url } = await startServer(t, line.env);
  const signIn = async (secret: string, claims: object = {}) => {
    const token = jsonwebtoken.sign({ id: 7, name: 'Vera', ...claims }, secret, { noTimestamp: true });
    const { status } = await fetch(`${url}/b/${pid}/sso/${token}`, { redirect: 'manual' });
    return status;
  };
  const exp = Math.floor(Date.now() / 1_000) + 300;
  const made = await json('sso', 'update', '--secret', '--login-url', 'https://example.com/login');
  assert.match(made.secret, /^[\w-]{43}$/);
  assert.equal(await signIn(made.secret, { exp }), 303);
  assert.notEqual(await signIn(made.secret), 303, 'without an expiry');

  const { secret: _, ...shown } = await json(
    'sso',
    'update',
    '--secret',
    TYPED,
    '--allow-without-exp',
    '--allow-roles',
  );
  assert.deepEqual([await signIn(TYPED), await signIn(made.secret, { exp })], [303, 303], 'the one before stays valid');
  assert.notEqual(await signIn('x'.repeat(43), { exp }), 303);
  assert.deepEqual(await json('sso', 'show'), shown);
  const { hasPreviousSecret, isRoleAllowed, isExpiryOptional, loginUrl } = shown;
  assert.deepEqual(
    [hasPreviousSecret, isRoleAllowed, isExpiryOptional, loginUrl],
    [true, true, true, 'https://example.com/login'],
  );
  for (const options of [[], ['--json']]) {
    const { stdout } = await run('sso', 'show', ...options);
    assert.ok(!stdout.includes(TYPED) && !stdout.includes(made.secret));
  }

  const changed = await json(
    'sso',
    'update',
    '--jwks',
    'https://example.com/keys',
    '--no-allow-roles',
    '--require-exp',
  );
  assert.deepEqual([changed.algorithm, changed.jwksUrl], ['JWKS', 'https://example.com/keys']);
  assert.deepEqual([changed.isRoleAllowed, changed.isExpiryOptional, changed.hasSecret], [false, false, true]);
  assert.equal((await json('sso', 'update', '--login-url', '')).loginUrl, null);
});

testCommandLine('invalid settings of single sign-on change nothing', async ({ run, json }) => {
  await json('board', 'create', '--name', 'Acme');
  const wrong: [status: number, message: RegExp, ...args: string[]][] = [
    [2, /32 to 200 ASCII characters/, '--secret', 'x'.repeat(31)],
    [2, /32 to 200 ASCII characters/, '--secret', 'x'.repeat(201)],
    [2, /32 to 200 ASCII characters/, '--secret', `${'x'.repeat(40)} y`],
    [2, /cannot be used with/, '--secret', '--jwks', 'https://example.com/keys'],
    [2, /cannot be used with/, '--allow-without-exp', '--require-exp'],
    [1, /must be a complete address/, '--jwks', 'example.com'],
    [1, /must be a complete address/, '--secret', '--login-url', 'javascript:alert(1)'],
    [1, /must not contain a user name or password/, '--jwks', 'https://eve:secret@example.com/keys'],
    [1, /must not contain a user name or password/, '--login-url', 'https://eve@example.com/login'],
    [1, /There is no board nowhere/, '--board', 'nowhere', '--allow-roles'],
  ];
  for (const [status, message, ...args] of wrong) {
    const ended = await run('sso', 'update', ...args);
    assert.deepEqual([ended.status, ended.stdout], [status, ''], args.join(' '));
    assert.match(ended.stderr, message);
  }
  assert.equal((await json('sso', 'show')).isOn, false);
  for (const length of [32, 200]) {
    assert.equal((await json('sso', 'update', '--secret', 'x'.repeat(length))).hasSecret, true);
  }
});
