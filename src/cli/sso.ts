import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  changeSsoSettings,
  findSsoSettings,
  rotateSsoSecret,
  type SsoChanges,
  type SsoSettingsRow,
} from '../identity/sso/settings.ts';
import { operator } from '../identity/users/authority.ts';
import type { RequestContext } from '../identity/users/request-context.ts';
import { requireStoreKey } from '../platform/db/key-check.ts';
import { makeCipher } from '../platform/lib/cipher.ts';
import { makeToken } from '../platform/lib/ids.ts';
import { listEncryptedSecrets } from '../webhooks/webhook/encrypted-secrets.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

type UpdateOptions = BoardOptions & {
  /** `true` requests a generated one. */
  secret?: string | true;
  jwks?: string;
  loginUrl?: string;
  allowRoles?: boolean;
  allowWithoutExp?: boolean;
  requireExp?: boolean;
};

/** HS256 asks for as many bytes as its hash has (RFC 7518, 3.2). */
const SECRET = { min: 32, max: 200 } as const;

/** `sso update|show`. */
export function addSso(program: Command, env: Environment, terminal: Terminal): void {
  const sso = program.command('sso').description('manage single sign-on; see docs/sso.md');

  withBoardOptions(sso.command('update'))
    .description('turn on single sign-on, or change the given settings')
    .addOption(
      new Option('--secret [text]', 'new secret for HS256 tokens; generated if no text is given')
        .argParser(requireSecret)
        .conflicts('jwks'),
    )
    .option('--jwks <url>', 'URL of the public keys for RS256, ES256 or EdDSA tokens')
    .addOption(new Option('--allow-without-exp', 'accept tokens that never expire').conflicts('requireExp'))
    .option('--require-exp', 'refuse tokens that never expire (default)')
    .option('--allow-roles', 'let tokens give roles up to admin')
    .option('--no-allow-roles', 'ignore roles in tokens (default)')
    .option('--login-url <url>', 'where people without a token sign in; "" for none')
    .action((options: UpdateOptions) =>
      withBoard(env, options.board, async (context, { db, config }) => {
        const changing = { ...context, actor: operator };
        const changes = readChanges(options);
        if (!options.secret) return show(terminal, options, context, await changeSsoSettings(changing, changes));
        const cipher = makeCipher(await requireStoreKey(db, config, listEncryptedSecrets));
        const secret = options.secret === true ? makeToken(SECRET.min) : options.secret;
        const row = await rotateSsoSecret(changing, cipher, { changes, secret });
        show(terminal, options, context, row, options.secret === true ? secret : null);
      }),
    );

  withBoardOptions(sso.command('show'))
    .description('show how the tokens of a board are checked')
    .action((options: BoardOptions) =>
      withBoard(env, options.board, async (context) =>
        show(terminal, options, context, await findSsoSettings(context.db.read, context.board.id)),
      ),
    );
}

/** Users come by the secret, so it must not be guessed; and in any language, so it is plain. */
function requireSecret(text: string): string {
  if (text.length >= SECRET.min && text.length <= SECRET.max && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new InvalidArgumentError(`It must have ${SECRET.min} to ${SECRET.max} ASCII characters and no spaces.`);
}

function readChanges({ secret, jwks, loginUrl, allowRoles, allowWithoutExp, requireExp }: UpdateOptions): SsoChanges {
  return {
    ...(secret !== undefined && { algorithm: 'HS256' }),
    ...(jwks !== undefined && { algorithm: 'JWKS', jwksUrl: jwks }),
    ...(loginUrl !== undefined && { loginUrl }),
    ...(allowRoles !== undefined && { isRoleAllowed: allowRoles }),
    ...((allowWithoutExp || requireExp) && { isExpiryOptional: allowWithoutExp === true }),
  };
}

/** Prints the settings, with a secret only when it was generated just now. */
function show(
  terminal: Terminal,
  options: BoardOptions,
  { board, baseUrl }: RequestContext,
  row: SsoSettingsRow | null,
  secret: string | null = null,
): void {
  const url = `${baseUrl}/b/${board.pid}/sso/`;
  if (!row) {
    print(terminal, options, { isOn: false, url }, 'Single sign-on is off.');
    return;
  }
  const settings = {
    isOn: true,
    url,
    algorithm: row.algorithm,
    hasSecret: row.secret !== null,
    hasPreviousSecret: row.previous_secret !== null,
    jwksUrl: row.jwks_url,
    loginUrl: row.login_url,
    isRoleAllowed: row.is_role_allowed === 1,
    isExpiryOptional: row.is_expiry_optional === 1,
    ...(secret !== null && { secret }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${value ?? 'none'}`);
  if (secret !== null) lines.push('Save it now: it is not shown again.');
  print(terminal, options, settings, lines.join('\n'));
}
