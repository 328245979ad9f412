import { excerptOf } from '../../feedback/posts/excerpt.ts';
import type { BoardRow } from '../../identity/board/board.ts';
import { translate } from '../../platform/catalogues.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { withoutTurns } from '../../platform/texts/text.ts';
import { isolate } from './fit.ts';
import type { ChatEvent } from './kinds.ts';
import type { ChatMessage } from './message.ts';

type Named = { name: string };
type Known = Named & { id: string };

/** What messages use of the events that chats are sent. What has been redacted is missing, or empty. */
export type ChatSubject = {
  event: ChatEvent;
  data: {
    post?: { title?: string; text?: string | null; url?: string; user?: Named | null };
    comment?: { id: string; text?: string; user?: Named | null };
    entry?: { title?: string; text?: string; url?: string; user?: Named | null };
    status?: Known;
    previousStatus?: Known;
    tags?: readonly Known[];
    user?: Named | null;
  };
};

/** What a message needs besides the event: its board, the post of a comment, and the statuses and tags that may be named. */
export type Surroundings = {
  board: Pick<BoardRow, 'name' | 'locale'>;
  post: { title: string; url: string } | null;
  publicIds: ReadonlySet<string>;
};

type Parts = {
  heading: LocalizedMessage;
  title?: string | undefined;
  url?: string | undefined;
  linkLabel?: LocalizedMessage;
  text?: string | null | undefined;
  facts?: readonly LocalizedMessage[];
  user?: Named | null | undefined;
};

/** The message about an event; null if its content has been deleted since. */
export function describeEvent(subject: ChatSubject, surroundings: Surroundings): ChatMessage | null {
  const parts = partsOf(subject, surroundings);
  return parts?.title ? compose(parts, surroundings.board) : null;
}

/** Whether a message of an earlier time may have names that are not public now. */
export function mayNameHidden({ data }: ChatSubject, { publicIds }: Surroundings): boolean {
  const { status = [], previousStatus = [], tags = [] } = data;
  return [status, previousStatus, tags].flat().some(({ id }) => !publicIds.has(id));
}

function partsOf({ event, data }: ChatSubject, { post, publicIds }: Surroundings): Parts | null {
  switch (event) {
    case 'post.created':
      return { heading: msg('mailNewIdea'), ...data.post };
    case 'post.status.updated': {
      const { status, previousStatus } = data;
      if (!status || !publicIds.has(status.id)) return null;
      const isNamed = previousStatus && publicIds.has(previousStatus.id);
      const name = isolate(status.name);
      const fact = isNamed ? msg('chatStatusChange', isolate(previousStatus.name), name) : msg('chatStatus', name);
      return { heading: msg('chatStatusChanged'), ...data.post, facts: [fact], user: data.user };
    }
    case 'post.tags.updated': {
      const tags = (data.tags ?? []).filter(({ id }) => publicIds.has(id));
      const names = tags.map(({ name }) => isolate(name)).join(', ');
      return { heading: msg('chatTagsChanged'), ...data.post, facts: [msg('chatTags', names || '–')], user: data.user };
    }
    case 'comment.created':
      return data.comment?.text ? { heading: msg('chatNewComment'), ...post, ...pickComment(data.comment) } : null;
    case 'changelog.published':
      return { heading: msg('chatNewEntry'), ...data.entry, linkLabel: msg('chatViewEntry') };
    default:
      return event satisfies never;
  }
}

function pickComment({ text, user }: { text?: string; user?: Named | null }) {
  return { text, user };
}

/** The first message, which shows that messages arrive. */
export function describeConnection(board: BoardRow): ChatMessage {
  return compose({ heading: msg('chatConnected', board.name) }, board);
}

/** The message that the team sends to see whether messages arrive. */
export function describeTest(board: BoardRow): ChatMessage {
  return compose({ heading: msg('chatTestMessage', board.name) }, board);
}

/** A message as an example, of an idea that there is not. */
export function describeExample(board: BoardRow, url: string): ChatMessage {
  const write = (text: LocalizedMessage) => translate(board.locale, text.parts);
  const [title, text] = [write(msg('chatDarkMode')), write(msg('chatDarkModeText'))];
  return compose({ heading: msg('mailNewIdea'), title, url, text, user: { name: 'Ada' } }, board);
}

function compose(parts: Parts, board: Pick<BoardRow, 'name' | 'locale'>): ChatMessage {
  const write = ({ parts }: LocalizedMessage) => translate(board.locale, parts);
  const { heading, title, url, linkLabel = msg('chatViewIdea'), text, facts = [], user } = parts;
  return {
    language: board.locale,
    heading: write(heading),
    title: title ? withoutTurns(title) : null,
    url: url ?? null,
    linkLabel: write(linkLabel),
    text: text ? withoutTurns(excerptOf(text)) || null : null,
    facts: facts.map(write),
    footer: [user?.name, board.name].flatMap((name) => (name ? [isolate(name)] : [])).join(' · '),
  };
}
