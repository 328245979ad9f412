import type { Ask } from './asking.ts';
import { BoardError } from './asking.ts';
import { documents } from './documents.ts';

/** The types of events, with what they are called in a list. */
export const EVENT_TYPES: Readonly<Record<string, string>> = {
  'post.created': 'Idea Created',
  'post.deleted': 'Idea Deleted',
  'post.status.updated': 'Status of an Idea Changed',
  'post.tags.updated': 'Tags of an Idea Changed',
  'comment.created': 'Comment Created',
  'comment.deleted': 'Comment Deleted',
  'changelog.published': 'Changelog Entry Published',
  'changelog.unpublished': 'Changelog Entry Unpublished',
};

/** What a flow gets of an event: `data` is what webhooks get, `idea` the idea as it is now, null if it is not visible. */
export type FlowEvent = { id: string; event: string; triggeredAt: string; data: unknown; idea: unknown };

/** Which events a flow wants, and how it reads them. */
export type Wanted = {
  types: readonly string[];
  /** Whether it continues with the oldest event if those after its cursor are no longer kept. */
  continuesAfterGap: boolean;
  /** Whether there is time for another page. */
  hasTime(): boolean;
};

/** What a poll has read: `cursor` is where the next one continues, and is kept only together with the events. */
export type Polled = { events: FlowEvent[]; cursor: string };

type EventNode = { id: string; type: string; triggeredAt: string; data: unknown; post: unknown };
type EventsPage = { nodes: EventNode[]; hasMore: boolean; cursor: string };

/** Events of a page, and pages of a poll at most: what is more waits for the next poll. */
export const PAGE_SIZE = 100;
export const MAX_PAGES = 10;

/**
 * The events since a cursor, the oldest first. Without a cursor there are none: the flow begins with what happens next.
 * An error after the first page ends the poll there; the next one meets it again.
 * @throws BoardError
 */
export async function poll(ask: Ask, after: string | undefined, wanted: Wanted): Promise<Polled> {
  const types = typesOf(wanted);
  if (after === undefined) return { events: [], cursor: await endOf(ask, types) };
  const polled: Polled = { events: [], cursor: after };
  for (let pages = 0; pages === 0 || (pages < MAX_PAGES && wanted.hasTime()); pages++) {
    const page = await readPage(ask, polled.cursor, wanted).catch((error: unknown) => {
      if (polled.events.length > 0) return null;
      throw error;
    });
    if (!page) break;
    polled.events.push(...page.nodes.map(flowEvent));
    polled.cursor = page.cursor;
    if (!page.hasMore) break;
  }
  return polled;
}

/** A few events that have happened, the newest first, to try a flow with; the cursor is not touched. */
export async function readSamples(ask: Ask, { types }: Pick<Wanted, 'types'>): Promise<FlowEvent[]> {
  const { posts } = await ask<{ posts: { nodes: { events: { nodes: EventNode[] } }[] } }>(documents.recentEvents);
  const recent = posts.nodes.flatMap(({ events }) => events.nodes);
  return recent
    .filter(({ type }) => types.length === 0 || types.includes(type))
    .sort((a, b) => b.triggeredAt.localeCompare(a.triggeredAt))
    .slice(0, MAX_SAMPLES)
    .map(flowEvent);
}

const MAX_SAMPLES = 3;

async function endOf(ask: Ask, types: readonly string[] | null): Promise<string> {
  const { events } = await ask<{ events: { cursor: string } }>(documents.endOfEvents, { types });
  return events.cursor;
}

async function readPage(ask: Ask, after: string, wanted: Wanted): Promise<EventsPage> {
  const read = async (from: string) => {
    const variables = { after: from, types: typesOf(wanted), limit: PAGE_SIZE };
    return (await ask<{ events: EventsPage }>(documents.events, variables)).events;
  };
  return read(after).catch((error: unknown) => {
    const oldest = error instanceof BoardError && error.code === 'CURSOR_EXPIRED' ? error.oldestCursor : undefined;
    if (oldest === undefined || !wanted.continuesAfterGap) throw error;
    return read(oldest);
  });
}

/** No types are all of them, and those of later versions. */
function typesOf({ types }: Pick<Wanted, 'types'>): readonly string[] | null {
  return types.length === 0 ? null : types;
}

function flowEvent({ id, type, triggeredAt, data, post }: EventNode): FlowEvent {
  return { id, event: type, triggeredAt, data, idea: post };
}
