import { type EventType, eventTypes, requireEventTypes } from '../../feedback/event-log/event-types.ts';
import type { Reader } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { makeExcerpt } from '../../platform/texts/text.ts';
import { chatEvents, isChat, type WebhookKind } from '../chat/kinds.ts';

const ALL_EVENTS = '*';

/** The statuses and tags whose posts a webhook is for; null: all. */
export type FilterConfig = {
  /** Ids or names. */
  statuses?: readonly string[] | null;
  tags?: readonly string[] | null;
};

/** Ids as stored in a column, with a comma at each end so that each can be looked for; null: all. */
type FilterColumns = { status_ids?: string | null; tag_ids?: string | null };

/** Checks a filter and returns the columns that it changes. @throws BAD_REQUEST naming what the board does not have */
export async function filterColumns(reader: Reader, boardId: string, filter: FilterConfig): Promise<FilterColumns> {
  const { statuses, tags } = filter;
  return {
    ...(statuses !== undefined && { status_ids: await joinIds(reader, boardId, 'statuses', statuses) }),
    ...(tags !== undefined && { tag_ids: await joinIds(reader, boardId, 'tags', tags) }),
  };
}

async function joinIds(
  reader: Reader,
  boardId: string,
  table: 'statuses' | 'tags',
  given: readonly string[] | null,
): Promise<string | null> {
  if (given === null) return null;
  if (given.length === 0) throw badRequest(msg('webhookFilterEmpty', table), table);
  const rows = await reader.selectFrom(table).select(['id', 'name']).where('board_id', '=', boardId).execute();
  const ids = given.map((name) => {
    const row = rows.find((each) => each.id === name) ?? rows.find((each) => each.name === name);
    if (row) return row.id;
    throw badRequest(msg('webhookFilterUnknown', table, JSON.stringify(makeExcerpt(name, 50))), table);
  });
  return `,${[...new Set(ids)].join(',')},`;
}

/** The ids in such a column; null: all. */
export function idsIn(column: string | null): string[] | null {
  return column === null ? null : column.split(',').filter(Boolean);
}

/** The event types that a webhook wants; null: all. */
export function eventsOf(row: { events: string }): EventType[] | null {
  return row.events === ALL_EVENTS ? null : (row.events.split(',').filter(Boolean) as EventType[]);
}

/** Event types as stored in the column. @throws BAD_REQUEST naming a type that does not exist, or not for the kind */
export function joinEvents(events: readonly string[] | null, kind: WebhookKind): string {
  if (events === null) return isChat(kind) ? `,${chatEvents.join(',')},` : ALL_EVENTS;
  const offered = isChat(kind) ? chatEvents : eventTypes;
  if (events.length === 0) throw badRequest(msg('webhookNoEvents', offered.join(', ')), 'events');
  const types = requireEventTypes(events, 'events');
  const other = types.find((type) => !offered.some((each) => each === type));
  if (other) throw badRequest(msg('webhookChatEventWrong', other, offered.join(', ')), 'events');
  return `,${types.join(',')},`;
}
