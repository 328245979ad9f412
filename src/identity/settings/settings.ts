import { languages } from '../../platform/catalogues.ts';
import type { Tx } from '../../platform/db/db.ts';
import { lockStore } from '../../platform/db/prepare.ts';
import { badRequest } from '../../platform/errors.ts';
import { requireColor, withSixDigits } from '../../platform/lib/color.ts';
import { msg } from '../../platform/messages.ts';
import { findableText, requireLine, requireOneOf, requireText } from '../../platform/texts/text.ts';
import { changeSettings } from '../activity/board.ts';
import { keepAddress } from '../board/addresses.ts';
import { type BoardRow, findBoard, findBoardByDomain, parseDescription, requireDomain } from '../board/board.ts';
import { requireRight } from '../users/authority.ts';
import type { ActorContext } from '../users/request-context.ts';
import { parseOrigins } from './origins.ts';

/** The step after the owner's account; 0 means that none is left. */
export const FIRST_SETUP_STEP = 2;
export const LAST_SETUP_STEP = 4;

/** The rule for what the description of a new idea begins with. */
export const POST_TEMPLATE = { field: 'postTemplate', min: 0, max: 2_000 };

/** Changes to a board; omitted properties stay unchanged. Texts are as typed. */
export type BoardChanges = {
  name?: string;
  description?: string;
  /** The board's name in addresses. */
  pid?: string;
  /** A custom domain; empty for none. */
  domain?: string;
  /** Null: the color of a new board. */
  brandColor?: string | null;
  locale?: string;
  isRoadmapEnabled?: boolean;
  /** Whether search engines may find the board. */
  isIndexed?: boolean;
  /** What the description of a new idea begins with; empty for nothing. */
  postTemplate?: string;
  /** The origins on whose pages the widget may appear, however they are separated. */
  widgetOrigins?: string;
  setupStep?: number;
  isChecklistHidden?: boolean;
};

/** Changes a board. @throws FORBIDDEN; BAD_REQUEST naming the field, also if a URL or host belongs to another board */
export async function changeBoard(context: ActorContext, changes: BoardChanges): Promise<BoardRow> {
  requireRight(context.actor, 'board.edit');
  const { name, description, pid, domain, brandColor, locale, isRoadmapEnabled, isIndexed, postTemplate } = changes;
  const { widgetOrigins, setupStep, isChecklistHidden } = changes;
  const set: Partial<BoardRow> = {
    ...(name !== undefined && { name: requireLine(name, { field: 'name', min: 1, max: 100 }) }),
    ...(description !== undefined && { description: parseDescription(description) }),
    ...(pid !== undefined && { pid: requirePid(pid) }),
    ...(domain !== undefined && { domain: parseDomain(domain) }),
    ...(brandColor !== undefined && { brand_color: parseColor(brandColor) }),
    ...(locale !== undefined && { locale: requireOneOf(languages, locale, 'locale') }),
    ...(isRoadmapEnabled !== undefined && { is_roadmap_enabled: isRoadmapEnabled ? (1 as const) : (0 as const) }),
    ...(isIndexed !== undefined && { is_indexed: isIndexed ? (1 as const) : (0 as const) }),
    ...(postTemplate !== undefined && { post_template: requireText(postTemplate, POST_TEMPLATE) || null }),
    ...(widgetOrigins !== undefined && { widget_origins: parseOrigins(widgetOrigins) }),
    ...(setupStep !== undefined && { setup_step: setupStep > LAST_SETUP_STEP ? 0 : setupStep }),
    ...(isChecklistHidden !== undefined && { is_checklist_hidden: isChecklistHidden ? (1 as const) : (0 as const) }),
  };
  return context.db.transaction(async (tx) => {
    await requireFree(tx, context, set);
    if (set.pid !== undefined && set.pid !== context.board.pid) {
      await keepAddress(tx, context.board.id, context.clock.now());
    }
    return changeSettings(tx, context, set);
  });
}

/**
 * Turns the API of a board on or off: off, its keys are refused with PLAN_REQUIRED.
 * @throws FORBIDDEN for everyone except owners
 */
export function switchApi(context: ActorContext, isOn: boolean): Promise<BoardRow> {
  requireRight(context.actor, 'api.switch');
  return context.db.transaction((tx) => changeSettings(tx, context, { plan: isOn ? 'ENTERPRISE' : 'FREE' }));
}

/**
 * Two boards with the same URL would take each other's visitors, and a board with the server's own host would take
 * everyone's.
 */
async function requireFree(
  tx: Tx,
  { board, baseUrl }: ActorContext,
  { pid, domain }: Partial<BoardRow>,
): Promise<void> {
  if (pid === undefined && !domain) return;
  // Of two boards that choose the same URL at once, the second sees the first.
  await lockStore(tx);
  if (domain === new URL(baseUrl).hostname) {
    throw badRequest(msg`${domain} is the host of the server itself (BASE_URL): choose another`, 'domain');
  }
  const ofPid = pid === undefined ? null : await findBoard(tx, pid);
  if (ofPid && ofPid.id !== board.id) throw badRequest(msg`There is another board at /b/${ofPid.pid}`, 'pid');
  const ofDomain = domain ? await findBoardByDomain(tx, domain) : null;
  if (ofDomain && ofDomain.id !== board.id) throw badRequest(msg`Another board has the host ${domain ?? ''}`, 'domain');
}

function parseColor(text: string | null): string | null {
  return text === null ? null : withSixDigits(requireColor(text.trim()));
}

function requirePid(text: string): string {
  const pid = findableText(text)?.toLowerCase() ?? '';
  if (pid.length <= 40 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(pid)) return pid;
  throw badRequest(
    msg`pid must have 1 to 40 characters: letters a to z, digits, and single hyphens between them`,
    'pid',
  );
}

function parseDomain(text: string): string | null {
  const isEmpty = findableText(text) === '';
  return isEmpty ? null : requireDomain(text, 'domain');
}
