import { languages } from '../../platform/catalogues.ts';
import { badRequest } from '../../platform/errors.ts';
import { requireColor, withSixDigits } from '../../platform/lib/color.ts';
import { msg } from '../../platform/messages.ts';
import { findableText, requireLine, requireOneOf, requireText } from '../../platform/texts/text.ts';
import {
  accessKinds,
  approvals,
  type BoardRow,
  parseAddress,
  parseDescription,
  requireDomain,
} from '../board/board.ts';
import { parseMailDomains } from './mail-domains.ts';

/** Columns that Earshot keeps itself, or that are set elsewhere. All others are settings. */
type OtherColumn =
  | 'id'
  | 'favicon_url'
  | 'header_link'
  | 'logo_url'
  | 'post_number'
  | 'post_count'
  | 'changelog_number'
  | 'changelog_count'
  | 'event_seq'
  | 'events_removed'
  | 'events_removed_before'
  | 'sandbox_visitor'
  | 'setup_step'
  | 'time_zone'
  | 'date_created';

/** The rule for what the description of a new idea begins with. */
export const POST_TEMPLATE = { field: 'postTemplate', min: 0, max: 2_000 };

/** A setting: its name in forms and in the log of operations, what errors call it, and how it goes from its column and back. */
type Setting<Kept> = { name: string; words: string; read(kept: Kept): unknown; parse(given: never): Kept };

const flag = { read: (kept: 0 | 1) => kept === 1, parse: (given: boolean): 0 | 1 => (given ? 1 : 0) };
const same = <T>(kept: T): T => kept;
const orEmpty = (kept: string | null) => kept ?? '';

/** Every setting of a board. Texts are as typed. */
const settings = {
  name: {
    name: 'name',
    words: 'name',
    read: same<string>,
    parse: (given: string) => requireLine(given, { field: 'name', min: 1, max: 100 }),
  },
  description: {
    name: 'description',
    words: 'description',
    read: orEmpty,
    parse: (given: string) => parseDescription(given),
  },
  pid: { name: 'pid', words: 'address', read: same<string>, parse: requirePid },
  domain: { name: 'domain', words: 'custom domain', read: orEmpty, parse: parseDomain },
  /** Null: the color of a new board. */
  brand_color: { name: 'brandColor', words: 'color', read: same<string | null>, parse: parseColor },
  locale: {
    name: 'locale',
    words: 'language',
    read: same<string>,
    parse: (given: string) => requireOneOf(languages, given, 'locale'),
  },
  access: {
    name: 'access',
    words: 'access',
    read: same<string>,
    parse: (given: string) => requireOneOf(accessKinds, given, 'access'),
  },
  approval: {
    name: 'approval',
    words: 'approval',
    read: same<string>,
    parse: (given: string) => requireOneOf(approvals, given, 'approval'),
  },
  mail_domains: { name: 'mailDomains', words: 'email domains', read: same<string>, parse: parseMailDomains },
  widget_origins: { name: 'widgetOrigins', words: 'settings', read: same<string>, parse: parseOrigins },
  post_template: {
    name: 'postTemplate',
    words: 'settings',
    read: orEmpty,
    parse: (given: string) => requireText(given, POST_TEMPLATE) || null,
  },
  is_mail_in_enabled: { name: 'isMailInEnabled', words: 'settings', ...flag },
  mail_address: { name: 'mailAddress', words: 'settings', read: same<string>, parse: parseAddress },
  is_roadmap_enabled: { name: 'isRoadmapEnabled', words: 'settings', ...flag },
  is_indexed: { name: 'isIndexed', words: 'settings', ...flag },
  is_checklist_hidden: { name: 'isChecklistHidden', words: 'settings', ...flag },
  plan: {
    name: 'isApiEnabled',
    words: 'API',
    read: (plan: string) => plan !== 'FREE',
    parse: (isOn: boolean) => (isOn ? 'ENTERPRISE' : 'FREE'),
  },
} as const satisfies { [Column in Exclude<keyof BoardRow, OtherColumn>]: Setting<BoardRow[Column]> };

type Table = typeof settings;
type Column = keyof Table;
type Name = Table[Column]['name'];

/** The settings of a board as operations change them. */
export type BoardState = { [Each in Column as Table[Each]['name']]: ReturnType<Table[Each]['read']> };

/** Changes to settings; omitted ones stay unchanged. */
export type SettingChanges = {
  [Each in Column as Table[Each]['name']]?: Parameters<Table[Each]['parse']>[0] | undefined;
};

const list = Object.entries(settings) as [Column, Setting<unknown>][];

/** What errors call each setting. */
export const settingWords = byName((_, { words }) => words) as Record<Name, string>;

/** The settings of a board. */
export function stateOfBoard(board: BoardRow): BoardState {
  return byName((column, { read }) => read(board[column])) as BoardState;
}

function byName(make: (column: Column, setting: Setting<unknown>) => unknown): Record<string, unknown> {
  return Object.fromEntries(list.map(([column, setting]) => [setting.name, make(column, setting)]));
}

/** The columns that changes set. @throws BAD_REQUEST naming the setting */
export function parseSettings(changes: SettingChanges): Partial<BoardRow> {
  const set = list.flatMap(([column, { name, parse }]) => {
    const given = changes[name as Name];
    return given === undefined ? [] : [[column, parse(given as never)]];
  });
  return Object.fromEntries(set);
}

function parseColor(text: string | null): string | null {
  return text === null ? null : withSixDigits(requireColor(text.trim()));
}

function requirePid(text: string): string {
  const pid = findableText(text)?.toLowerCase() ?? '';
  if (pid.length <= 40 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(pid)) return pid;
  throw badRequest(msg('boardPidInvalid'), 'pid');
}

function parseDomain(text: string): string | null {
  const isEmpty = findableText(text) === '';
  return isEmpty ? null : requireDomain(text, 'domain');
}

/** Maximum number of origins on which the widget of a board may appear. */
const MAX_ORIGINS = 20;
/** Scheme, host name or IPv4 address, and port: nothing that could end the directive of a header. */
const ORIGIN = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;
const FIELD = 'widgetOrigins';

/**
 * Origins of websites, such as `https://app.example.com`, however they are separated.
 * @returns them separated by spaces
 * @throws BAD_REQUEST naming what is no origin
 */
function parseOrigins(text: string): string {
  const line = requireLine(text.replaceAll(/\s/g, ' '), { field: FIELD, min: 0, max: 6_000 });
  const parts = line.split(/[\s,;]+/).filter(Boolean);
  if (parts.length > MAX_ORIGINS) throw badRequest(msg('boardTooManyWebsites', MAX_ORIGINS), FIELD);
  return [...new Set(parts.map(requireOrigin))].join(' ');
}

function requireOrigin(text: string): string {
  const url = URL.parse(text);
  const isBare = url !== null && url.href === `${url.origin}/`;
  if (isBare && url.origin.length <= 260 && ORIGIN.test(url.origin)) return url.origin;
  throw badRequest(msg('boardWebsiteInvalid', text.slice(0, 100)), FIELD);
}
