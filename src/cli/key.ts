import { type Command, InvalidArgumentError, Option } from 'commander';
import { listTags } from '../feedback/tags/tags.ts';
import { MAX_BUDGET, readBudget } from '../identity/keys/budget.ts';
import {
  createKey,
  findUsersOfKeys,
  type KeyRow,
  listKeys,
  type Permission,
  permissions,
  revokeKey,
} from '../identity/keys/keys.ts';
import { operator } from '../identity/users/authority.ts';
import type { RequestContext } from '../identity/users/request-context.ts';
import { findUser, type UserRow } from '../identity/users/users.ts';
import { DAY_MS } from '../platform/lib/clock.ts';
import { parseDay, parseInstant } from '../platform/lib/instant.ts';
import type { RateRule } from '../platform/limits/rate-limit.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, formatInstant, print, printList, type Terminal, withBoardOptions } from './terminal.ts';

type Identity = { ssoType: string; ssoId: string };
type CreateOptions = BoardOptions & {
  name: string;
  permissions?: Permission[];
  allowIp?: string[];
  rate?: RateRule[];
  expires?: number;
  as?: Identity;
  onlyAs?: Identity;
  operations?: number;
  votes?: number;
  tags?: string[];
};

/** `key create|list|revoke`. */
export function addKey(program: Command, env: Environment, terminal: Terminal): void {
  const key = program.command('key').description('create, list and revoke API keys');
  addCreate(key, env, terminal);
  addList(key, env, terminal);
  addRevoke(key, env, terminal);
}

function addCreate(key: Command, env: Environment, terminal: Terminal): void {
  withBoardOptions(
    key
      .command('create')
      .description('create an API key and print it; it is shown only once')
      .requiredOption('--name <name>', 'short description')
      .option(
        '--permissions <list>',
        'any of read, write and webhooks, separated by commas (default: read,write)',
        parsePermissions,
      )
      .option('--allow-ip <cidr...>', 'IP addresses or CIDR blocks that may use the key (default: all)')
      .option('--rate <rules>', 'rate limits such as 5/s,60/m,3600/h, or none (default: 5/s,60/m,3600/h)', parseRate)
      .option(
        '--expires <when>',
        'date on which it expires, at 00:00 UTC, such as 2027-01-31, or a number of days, such as 90d',
        parseExpiry,
      )
      .option('--as <ssotype:userId>', 'default user, who acts when a request has no user headers', parseIdentity)
      .addOption(
        new Option('--only-as <ssotype:userId>', 'user who always acts; requests that name another one are refused')
          .argParser(parseIdentity)
          .conflicts('as'),
      )
      .option('--operations <n>', 'changes that it may make in 24 hours (default: no limit)', parseMost)
      .option('--votes <n>', 'votes that it may cast in 24 hours (default: no limit)', parseMost)
      .option('--tags <names...>', 'the only tags that it may put on ideas or take from them (default: all)'),
  ).action((options: CreateOptions) =>
    withBoard(env, options.board, async (context) => {
      const actor = options.onlyAs ?? options.as;
      const { key: secret, row } = await createKey(context, {
        name: options.name,
        ...(options.permissions && { permissions: options.permissions }),
        ...(options.allowIp && { allowedIps: options.allowIp.flatMap((blocks) => blocks.split(',')) }),
        ...(options.rate && { rateRules: options.rate }),
        expiresAt: options.expires ?? null,
        defaultUserId: actor ? await requireUserId(context, actor) : null,
        isBound: options.onlyAs !== undefined,
        budget: {
          operations: options.operations ?? null,
          votes: options.votes ?? null,
          tags: options.tags ? await findTagIds(context, options.tags) : null,
        },
      });
      const { id, ...rest } = toJson(row);
      print(terminal, options, { id, key: secret, ...rest }, `${secret}\nSave it now: it is not shown again.`);
    }),
  );
}

function addList(key: Command, env: Environment, terminal: Terminal): void {
  withBoardOptions(key.command('list').description('list the API keys of a board')).action((options: BoardOptions) =>
    withBoard(env, options.board, async ({ db, board, clock }) => {
      const rows = await listKeys(db.read, board.id);
      const users = await findUsersOfKeys(db.read, board.id, rows);
      const makerOf = (row: KeyRow) => users.get(row.made_by ?? '');
      const table = rows.map((row) => ({
        id: row.id,
        name: row.name,
        key: row.client_id === null ? `esk_${row.prefix}…` : 'by OAuth',
        permissions: row.permissions.toLowerCase(),
        state: stateOf(row, clock.now()),
        'acts as': describeActor(row, users.get(row.default_user_id ?? '')),
        'made by': makerOf(row)?.name ?? makerOf(row)?.id ?? '',
        'last used': formatInstant(row.date_last_used) ?? 'never',
      }));
      printList(
        terminal,
        options,
        rows.map((row) => ({ ...toJson(row), madeBy: toMaker(makerOf(row)) })),
        table,
        'There is no key yet: create one with `key create --name`.',
      );
    }),
  );
}

function addRevoke(key: Command, env: Environment, terminal: Terminal): void {
  withBoardOptions(
    key
      .command('revoke')
      .description('revoke an API key; running servers reject it within 5 seconds')
      .argument('<id>', 'id of the key, see `key list`'),
  ).action((id: string, options: BoardOptions) =>
    withBoard(env, options.board, async (context) => {
      const row = await revokeKey(context, id);
      print(terminal, options, toJson(row), `Revoked ${row.name} (esk_${row.prefix}…).`);
    }),
  );
}

async function requireUserId({ db, board }: RequestContext, identity: Identity): Promise<string> {
  const user = await findUser(db.read, board.id, identity);
  if (user) return user.id;
  throw new Error(`User not found: ${identity.ssoType}:${identity.ssoId} is not registered (see createUser)`);
}

/** The ids of tags by their names. @throws if there is none of a name */
async function findTagIds({ db, board }: RequestContext, names: readonly string[]): Promise<string[]> {
  const tags = await listTags(db.read, board.id, operator);
  return names.map((name) => {
    const found = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
    if (found) return found.id;
    throw new Error(`There is no tag ${JSON.stringify(name)} on this board`);
  });
}

function toJson(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    permissions: row.permissions.toLowerCase().split(','),
    allowedIps: JSON.parse(row.allowed_ips) as string[],
    rateLimits: JSON.parse(row.rate_limits) as RateRule[],
    defaultUserId: row.default_user_id,
    isBound: row.is_bound === 1,
    isAgent: row.client_id !== null,
    budget: readBudget(row.budget),
    dateCreated: formatInstant(row.date_created),
    dateExpires: formatInstant(row.date_expires),
    dateRevoked: formatInstant(row.date_revoked),
    dateLastUsed: formatInstant(row.date_last_used),
  };
}

function describeActor(row: KeyRow, user: UserRow | undefined): string {
  if (!user) return row.is_bound ? 'only an erased user' : '';
  return `${row.is_bound ? 'only ' : ''}${user.name ?? user.id}`;
}

function toMaker(user: UserRow | undefined) {
  return user ? { id: user.id, name: user.name, role: user.role } : null;
}

function stateOf(row: KeyRow, now: number): string {
  if (row.date_revoked !== null) return 'revoked';
  return row.date_expires !== null && row.date_expires <= now ? 'expired' : 'active';
}

function parsePermissions(text: string): Permission[] {
  const names = text.split(',').map((name) => name.trim().toUpperCase());
  const known = permissions.filter((permission) => names.includes(permission));
  if (known.length === new Set(names).size) return known;
  throw new InvalidArgumentError('It must be read, write or webhooks, or several of them such as read,write.');
}

const SECONDS = { s: 1, m: 60, h: 3_600 } as const;

function parseRate(text: string): RateRule[] {
  if (text === 'none') return [];
  return text.split(',').map((rule) => {
    const [, limit, unit] = /^\s*([1-9]\d{0,8})\/([smh])\s*$/.exec(rule) ?? [];
    if (!limit || !unit) throw new InvalidArgumentError('It must have the form 5/s,60/m,3600/h, or be none.');
    return { seconds: SECONDS[unit as keyof typeof SECONDS], limit: Number(limit) };
  });
}

function parseMost(text: string): number {
  const most = Number(text);
  if (/^\d+$/.test(text) && most <= MAX_BUDGET) return most;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_BUDGET}.`);
}

function parseExpiry(text: string): number {
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1];
  const instant = days ? Date.now() + Number(days) * DAY_MS : (parseDay(text) ?? parseInstant(text));
  if (instant === null || instant <= Date.now()) {
    throw new InvalidArgumentError(
      'It must be a date in the future, such as 2027-01-31, or a number of days, such as 90d.',
    );
  }
  return instant;
}

/** A user as the command line names one, such as SSO:42. */
export function parseIdentity(text: string): Identity {
  const [, ssoType, ssoId] = /^([^:]+):(.+)$/.exec(text) ?? [];
  if (!ssoType || !ssoId) throw new InvalidArgumentError('It must have the form SSO:42.');
  return { ssoType, ssoId };
}
