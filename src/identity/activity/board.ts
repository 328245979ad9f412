import type { Tx } from '../../platform/db/db.ts';
import { type BoardRow, lockBoard, requireBoard, setBoard } from '../board/board.ts';
import type { ActorContext } from '../users/request-context.ts';
import { recordChange } from './activity.ts';

/** What operations change of a board: its settings, as `changeBoard`, `changeAccess` and `switchApi` take them. */
export function stateOfBoard(board: BoardRow) {
  const { name, description, pid, domain, brand_color: brandColor, locale, access, mail_domains, approval } = board;
  return {
    name,
    description: description ?? '',
    pid,
    domain: domain ?? '',
    brandColor,
    locale,
    access,
    approval,
    mailDomains: mail_domains,
    widgetOrigins: board.widget_origins,
    postTemplate: board.post_template ?? '',
    isRoadmapEnabled: board.is_roadmap_enabled === 1,
    isIndexed: board.is_indexed === 1,
    isChecklistHidden: board.is_checklist_hidden === 1,
    isApiEnabled: board.plan !== 'FREE',
  };
}

/** The settings of a board, as operations change them. */
export type BoardState = ReturnType<typeof stateOfBoard>;

/** Changes settings of the board, so that it can be undone. */
export async function changeSettings(tx: Tx, context: ActorContext, set: Partial<BoardRow>): Promise<BoardRow> {
  const { id } = context.board;
  await lockBoard(tx, id);
  const before = await requireBoard(tx, id);
  if (Object.keys(set).length === 0) return before;
  const changed = await setBoard(tx, id, set);
  const change = { before: stateOfBoard(before), after: stateOfBoard(changed) };
  await recordChange(tx, context, { thing: 'BOARD', id, ...change });
  return changed;
}
