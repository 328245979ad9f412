import type { Generated, Selectable } from 'kysely';
import type { Db, Reader, Tx } from '../../platform/db/db.ts';
import { locked, prepare } from '../../platform/db/prepare.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { prefixOf } from '../../platform/http/prefix.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireMailAddress } from '../../platform/texts/email.ts';
import { normalizeText } from '../../platform/texts/normal-form.ts';
import { findableText, isStorable, requireLine, requireText } from '../../platform/texts/text.ts';

/** What a board may use: the API is part of the Pro and Enterprise plans. */
export const plans = ['FREE', 'PRO', 'ENTERPRISE'] as const;
export type Plan = (typeof plans)[number];

/** Who may see a board and write on it, from everyone to members only; `identity/users/entry.ts` evaluates it. */
export const accessKinds = ['PUBLIC', 'PUBLIC_READ', 'SIGNED_IN', 'MEMBERS'] as const;
export type AccessKind = (typeof accessKinds)[number];

/**
 * What needs a moderator's approval before others see it: nothing, everything until a user has been approved once, or
 * everything.
 */
export const approvals = ['NONE', 'FIRST', 'ALL'] as const;
export type Approval = (typeof approvals)[number];

type BoardTable = {
  id: string;
  /** The board's name in addresses. */
  pid: string;
  name: string;
  description: string | null;
  plan: Plan;
  locale: string;
  domain: string | null;
  /** The path of its icon, relative to the server's URL. */
  favicon_url: string | null;
  header_link: string | null;
  /** The path of its logo, relative to the server's URL. */
  logo_url: string | null;
  is_roadmap_enabled: 0 | 1;
  /** The number of the newest post. */
  post_number: Generated<number>;
  /** Posts that are not deleted. */
  post_count: Generated<number>;
  /** The number of the newest changelog entry, and how many are published. */
  changelog_number: Generated<number>;
  changelog_count: Generated<number>;
  /** The sequence number of the newest event. */
  event_seq: Generated<number>;
  /** Up to this sequence number the log of events is removed, all of which happened before this instant. */
  events_removed: Generated<number>;
  events_removed_before: Generated<number>;
  /** Whose sandbox the board is, as a hash of the visitor's network; null for a permanent board. */
  sandbox_visitor: string | null;
  /** The color that the owner has chosen, as `#4b54bf`; see `makeBrand` for how pages show it. */
  brand_color: string | null;
  /** The next step of the setup; 0 if it is finished or was never started. */
  setup_step: Generated<number>;
  is_checklist_hidden: Generated<0 | 1>;
  /** The default for users who have not set theirs, for example `Europe/Berlin`. */
  time_zone: Generated<string>;
  access: Generated<AccessKind>;
  /** The email domains whose users may enter if `access` is MEMBERS, separated by spaces. */
  mail_domains: Generated<string>;
  approval: Generated<Approval>;
  /** Whether search engines may find the board, as far as it is public. */
  is_indexed: Generated<0 | 1>;
  /** What the description of a new idea begins with on the pages; null for nothing. */
  post_template: string | null;
  /** The origins on whose pages the widget may appear, separated by spaces. */
  widget_origins: Generated<string>;
  /** Whether mail to the board's address becomes ideas, see `operations/mail-in/`. */
  is_mail_in_enabled: Generated<0 | 1>;
  /** The address that people write to if it is not the board's own, and forwards to it; empty: none. */
  mail_address: Generated<string>;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    boards: BoardTable;
  }
}

export type BoardRow = Selectable<BoardTable>;

/** The properties of a new board; its name in URLs is derived from its name. */
export type NewBoard = {
  name: string;
  description?: string | undefined;
  plan?: Plan | undefined;
  /** Its language, one of `languages`. */
  locale?: string | undefined;
  isMailInEnabled?: boolean | undefined;
  /** The address that people write to, if it forwards to the board's own; empty for none. */
  mailAddress?: string | undefined;
  sandboxVisitor?: string | undefined;
};

/** Creates a board. The caller adds what a board starts with, for example its statuses. */
export async function insertBoard(tx: Tx, input: NewBoard, now: number): Promise<BoardRow> {
  const name = requireLine(input.name, { field: 'name', min: 1, max: 100 });
  const id = makeId();
  return tx
    .insertInto('boards')
    .values({
      id,
      pid: input.sandboxVisitor ? `sandbox-${id}` : await findFreePid(tx, name),
      name,
      description: parseDescription(input.description),
      plan: input.plan ?? 'ENTERPRISE',
      locale: input.locale ?? 'en',
      is_roadmap_enabled: 1,
      sandbox_visitor: input.sandboxVisitor ?? null,
      date_created: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes the given properties and leaves the rest; null if the board does not exist. */
export async function updateBoard(db: Db, pid: string, changes: Partial<NewBoard>): Promise<BoardRow | null> {
  const set = {
    ...(changes.name !== undefined && { name: requireLine(changes.name, { field: 'name', min: 1, max: 100 }) }),
    ...(changes.description !== undefined && { description: parseDescription(changes.description) }),
    ...(changes.plan !== undefined && { plan: changes.plan }),
    ...(changes.isMailInEnabled !== undefined && { is_mail_in_enabled: changes.isMailInEnabled ? 1 : (0 as 0 | 1) }),
    ...(changes.mailAddress !== undefined && { mail_address: parseAddress(changes.mailAddress) }),
  };
  if (Object.keys(set).length === 0) return findBoard(db.read, pid);
  return db.transaction(async (tx) => {
    const row = await tx.updateTable('boards').set(set).where('pid', '=', pid).returningAll().executeTakeFirst();
    return row ?? null;
  });
}

/** An address that people write to; empty for none. @throws BAD_REQUEST */
export function parseAddress(text: string): string {
  return text.trim() === '' ? '' : requireMailAddress(text.trim(), 'mailAddress');
}

/** Changes columns of a board and returns the new row. */
export function setBoard(tx: Tx, id: string, set: Partial<BoardRow>): Promise<BoardRow> {
  return tx.updateTable('boards').set(set).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** The board with this name in URLs. Sandboxes have no pages: what visitors write there is not shown to others. */
export async function findBoard(reader: Reader, pid: string): Promise<BoardRow | null> {
  if (!isStorable(pid)) return null;
  const query = reader.selectFrom('boards').selectAll().where('pid', '=', pid).where('sandbox_visitor', 'is', null);
  return (await query.executeTakeFirst()) ?? null;
}

const boardById = prepare<{ id: string }, BoardRow>((reader, param) =>
  reader.selectFrom('boards').selectAll().where('id', '=', param('id')),
);

/** The board of a request as it is now, with its counts. */
export async function requireBoard(reader: Reader, id: string): Promise<BoardRow> {
  const [board] = await boardById(reader, { id });
  if (!board) throw notFound('Board');
  return board;
}

/** Locks the board's row, for decisions and numbering that only one transaction at a time may make. */
export async function lockBoard(tx: Tx, id: string): Promise<void> {
  await lockOne(tx, { id });
}

const lockOne = prepare<{ id: string }, Pick<BoardRow, 'id'>>((tx, param) =>
  locked(tx, tx.selectFrom('boards').select('id').where('id', '=', param('id'))),
);

/** All boards except sandboxes, the oldest first. */
export function listBoards(reader: Reader): Promise<BoardRow[]> {
  const query = reader.selectFrom('boards').selectAll().where('sandbox_visitor', 'is', null);
  return query.orderBy('date_created').orderBy('id').execute();
}

/** The board with the custom domain that a host names; ports and the dot of a full name do not count. */
export async function findBoardByDomain(reader: Reader, named: string): Promise<BoardRow | null> {
  const host = findableText(named.replace(/\.?(:\d+)?$/, ''))?.toLowerCase();
  if (!host) return null;
  const query = reader.selectFrom('boards').selectAll().where('domain', '=', host);
  return (await query.orderBy('id').limit(1).executeTakeFirst()) ?? null;
}

/** The oldest board, the default of commands. */
export async function requireFirstBoard(reader: Reader): Promise<BoardRow> {
  const [board] = await listBoards(reader);
  if (!board) throw new Error('There is no board yet: create one with `board create --name`');
  return board;
}

/** The URL of the board. */
export function boardUrl(board: BoardRow, baseUrl: string): string {
  return board.domain ? addressOfDomain(board.domain, baseUrl) : `${baseUrl}/b/${board.pid}`;
}

/** The one address that a board's pages have for search engines and links, whatever other ones lead to them. */
export function canonicalUrl({ domain, pid }: Pick<BoardRow, 'domain' | 'pid'>, baseUrl: string): string {
  return `${domain ? addressOfDomain(domain, baseUrl) : baseUrl}/b/${pid}`;
}

/** Where the server is reached under a custom domain: below the same path. */
export function addressOfDomain(domain: string, baseUrl: string): string {
  return `https://${domain}${prefixOf(baseUrl)}`;
}

/** A description from outside; empty is none. */
export function parseDescription(text: string | undefined): string | null {
  return text ? requireText(text, { field: 'description', min: 0, max: 1_000 }) || null : null;
}

/** A host name or mail domain from outside, in lower case. @throws BAD_REQUEST naming the field */
export function requireDomain(text: string, field: string): string {
  const domain = findableText(text)?.toLowerCase();
  const isDomain =
    domain && domain.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(domain);
  if (isDomain) return domain;
  throw badRequest(msg('boardHostInvalid', field), field);
}

/** `acme`, or `acme-2` when that is taken. */
async function findFreePid(tx: Tx, name: string): Promise<string> {
  const letters = normalizeText(name, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const ascii = letters.match(/[a-z0-9]+/g)?.join('-') ?? '';
  const base = ascii.slice(0, 40).replace(/-+$/, '') || 'board';
  for (let n = 1; ; n++) {
    const pid = n === 1 ? base : `${base}-${n}`;
    if (!(await findBoard(tx, pid))) return pid;
  }
}
