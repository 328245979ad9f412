import { type BoardRow, boardUrl } from '../../identity/board/board.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { translate } from '../../platform/catalogues.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { atLightness, withContrast } from '../../platform/lib/contrast.ts';
import { formatDay } from '../../platform/lib/time-zone.ts';
import type { MailBlock, MailBrand, MailDocument, MailLink, MailStatus } from '../../platform/mail/document.ts';
import { type LocalizedMessage, msg, quote } from '../../platform/messages.ts';
import { type NoticeKind, REASONS } from '../notices/notices.ts';
import { type PostRow, postUrl } from '../posts/posts.ts';
import { mailUrl, makeMailToken } from './links.ts';

/** Changes of one post that a mail shows, and posts of a digest. */
const MAX_CHANGES = 10;
const MAX_POSTS = 10;

/** A change that a user is notified of, with what a mail shows of it. */
export type Change = {
  kind: NoticeKind;
  reasons: number;
  /** Who made it; null once that user is erased. */
  by: string | null;
  /** What they wrote, as plain text. */
  text: string | null;
  /** MERGE: the title of the source, if the user may see it. */
  source: string | null;
  /** STATUS: the statuses before, null if it is not for the reader, and after. */
  move: { from: MailStatus | null; to: MailStatus } | null;
  /** SHIPPED: the changelog entry. */
  entry: { title: string; path: string } | null;
};

/** A post with the changes that a user is notified of, the oldest first. */
export type PostChanges = { post: PostRow; changes: readonly Change[] };

/** What is needed to compose mails to a user. */
export type Composing = {
  board: BoardRow;
  brand: MailBrand;
  baseUrl: string;
  cipher: Cipher;
  user: UserRow;
  /** When the user voted on the posts that the mail is about. */
  dateVoted: number | null;
};

export type ComposedMail = { subject: string; body: MailDocument };

/** A mail about one post. */
export function composePostMail(composing: Composing, { post, changes }: PostChanges): ComposedMail {
  const { board, baseUrl, cipher, user } = composing;
  const write = writerFor(composing);
  const url = postUrl(post, board, baseUrl);
  const reasons = changes.reduce((sum, change) => sum | change.reasons, 0);
  const shown = changes.slice(-MAX_CHANGES);
  const hidden = changes.length - shown.length;
  const right = { boardId: board.id, userId: user.id };
  const mute = mailUrl(baseUrl, makeMailToken(cipher, { ...right, postId: post.id }));
  const all = mailUrl(baseUrl, makeMailToken(cipher, { ...right, postId: null }));
  const blocks: MailBlock[] = [
    { kind: 'small', text: write(leads[leadingKind(changes)]) },
    { kind: 'heading', text: post.title, url },
    ...(hidden > 0 ? [{ kind: 'small' as const, text: write(msg('mailEarlierHidden', hidden)) }] : []),
    ...shown.flatMap((change) => blocksOf(change, composing, write)),
    { kind: 'button', label: write(msg('mailViewIdea')), url },
  ];
  return {
    subject: write(subjectOf(post, changes)),
    body: frame(composing, write, blocks, {
      preview: previewOf(changes),
      line: write(reasonFor(composing, reasons)),
      links: [
        ...(reasons & REASONS.TEAM ? [] : [{ label: write(msg('mailMuteIdea')), url: mute }]),
        { label: write(msg('mailPreferences')), url: all },
      ],
      unsubscribeUrl: all,
    }),
  };
}

/**
 * A mail about all posts that changed since the last one.
 * @param total posts, of which not all need be given
 */
export function composeDigest(composing: Composing, posts: readonly PostChanges[], total: number): ComposedMail {
  const { board, baseUrl, cipher, user } = composing;
  const write = writerFor(composing);
  const shown = posts.slice(0, MAX_POSTS);
  const more = total - shown.length;
  const all = mailUrl(baseUrl, makeMailToken(cipher, { boardId: board.id, userId: user.id, postId: null }));
  const title = total === 1 ? msg('mailOneUpdated', board.name) : msg('mailManyUpdated', total, board.name);
  const blocks: MailBlock[] = [
    { kind: 'heading', text: write(title) },
    ...shown.flatMap((each) => digestBlocks(each, composing, write)),
    ...(more > 0 ? [{ kind: 'text' as const, text: write(msg('mailAndMore', more)) }] : []),
    { kind: 'button', label: write(msg('mailViewIdeas')), url: boardUrl(board, baseUrl) },
  ];
  const line = user.mail_frequency === 'WEEKLY' ? msg('mailReasonWeekly') : msg('mailReasonDaily');
  return {
    subject: write(title),
    body: frame(composing, write, blocks, {
      preview: shown.map(({ post }) => post.title).join(' · '),
      line: write(line),
      links: [{ label: write(msg('mailPreferences')), url: all }],
      unsubscribeUrl: all,
    }),
  };
}

type Write = (message: LocalizedMessage) => string;

function writerFor({ user, board }: Composing): Write {
  return ({ parts }) => translate(languageOf(user, board), parts);
}

function languageOf(user: Pick<UserRow, 'locale'>, board: BoardRow): string {
  return user.locale ?? board.locale;
}

type Frame = { preview: string | null; line: string; links: MailLink[]; unsubscribeUrl: string };

function frame(composing: Composing, write: Write, blocks: readonly MailBlock[], frame: Frame): MailDocument {
  const { board, brand, user } = composing;
  const unsubscribe = { label: write(msg('mailUnsubscribe')), url: frame.unsubscribeUrl };
  return {
    language: languageOf(user, board),
    brand,
    preview: frame.preview,
    blocks,
    footer: { lines: [frame.line], links: [...frame.links, unsubscribe] },
    list: { id: board.pid, unsubscribeUrl: frame.unsubscribeUrl },
  };
}

/** The most important change is in the subject. */
const order: readonly NoticeKind[] = [
  ...(['SHIPPED', 'STATUS', 'OFFICIAL', 'MENTION', 'MERGE', 'COMMENT', 'NEW_POST', 'MODERATION'] as const),
];

function leadingKind(changes: readonly Change[]): NoticeKind {
  return order.find((one) => changes.some(({ kind }) => kind === one)) ?? 'COMMENT';
}

/** What happened, above the title of the idea. */
const leads: Readonly<Record<NoticeKind, LocalizedMessage>> = {
  STATUS: msg('mailLeadStatus'),
  OFFICIAL: msg('mailLeadAnswered'),
  MENTION: msg('mailLeadMentioned'),
  MERGE: msg('mailLeadMerged'),
  SHIPPED: msg('mailLeadReleased'),
  COMMENT: msg('mailLeadComment'),
  NEW_POST: msg('mailLeadNewIdea'),
  MODERATION: msg('mailLeadReview'),
};

function subjectOf({ title }: PostRow, changes: readonly Change[]): LocalizedMessage {
  switch (leadingKind(changes)) {
    case 'SHIPPED':
      return msg('mailSubjectReleased', title);
    case 'STATUS':
      return quote(`${changes.findLast(({ move }) => move)?.move?.to.name ?? ''}: ${title}`);
    case 'OFFICIAL':
      return msg('mailSubjectAnswer', title);
    case 'MENTION':
      return msg('mailSubjectMentioned', title);
    case 'MERGE':
      return msg('mailSubjectMerged', title);
    case 'NEW_POST':
      return msg('mailSubjectNewIdea', title);
    case 'MODERATION':
      return msg('mailSubjectReview', title);
    default:
      return msg('mailSubjectComment', title);
  }
}

function previewOf(changes: readonly Change[]): string | null {
  const last = changes.findLast(({ text }) => text !== null);
  return last?.text?.replace(/\s+/g, ' ').slice(0, 200) ?? null;
}

function blocksOf(change: Change, composing: Composing, write: Write): MailBlock[] {
  const { kind, text } = change;
  const by = change.by ?? write(msg('mailFormerUser'));
  const said = (role: string | null = null): MailBlock[] => (text === null ? [] : [{ kind: 'quote', by, role, text }]);
  switch (kind) {
    case 'STATUS':
      return [...statusBlock(change), ...said(write(msg('mailFromTeam')))];
    case 'OFFICIAL':
      return said(write(msg('mailFromTeam')));
    case 'MERGE':
      return [{ kind: 'text', text: write(mergeOf(change)) }];
    case 'SHIPPED':
      return entryBlocks(change, composing);
    case 'MODERATION':
    case 'MENTION':
    case 'COMMENT':
    case 'NEW_POST':
      return said();
    default:
      return kind satisfies never;
  }
}

/** The entry is from the team as a whole, as on the pages. */
function entryBlocks({ entry, text }: Change, { board, baseUrl }: Composing): MailBlock[] {
  if (!entry) return [];
  const item: MailBlock = { kind: 'item', text: entry.title, url: `${boardUrl(board, baseUrl)}/${entry.path}` };
  return [item, ...(text ? [{ kind: 'text' as const, text }] : [])];
}

function statusBlock({ move }: Change): MailBlock[] {
  return move ? [{ kind: 'status', ...move }] : [];
}

/** The statuses of a change with colors that are readable in light and dark mode. */
export function moveOf({ from, to }: { from?: Look | null; to?: Look | null }): Change['move'] {
  return to ? { from: from ? readable(from) : null, to: readable(to) } : null;
}

type Look = { name: string; color: string };

/** A light background with dark text in light mode, and vice versa in dark mode: every hue is readable this way. */
function readable({ name, color }: Look): MailStatus {
  const ground = { light: atLightness(color, 0.95, 0.035), dark: atLightness(color, 0.3, 0.05) };
  const ink = { light: atLightness(color, 0.42, 0.12), dark: atLightness(color, 0.86, 0.1) };
  return {
    name,
    ground,
    ink: { light: withContrast(ink.light, [ground.light], 0), dark: withContrast(ink.dark, [ground.dark], 1) },
  };
}

function mergeOf({ source }: Change): LocalizedMessage {
  if (source === null) return msg('mailOtherMerged');
  return msg('mailMergedIntoIdea', source);
}

function digestBlocks({ post, changes }: PostChanges, { board, baseUrl }: Composing, write: Write): MailBlock[] {
  const count = (kind: NoticeKind) => changes.filter((change) => change.kind === kind).length;
  const comments = count('COMMENT');
  const lines = [
    ...(count('OFFICIAL') > 0 ? [msg('mailTeamAnswered')] : []),
    ...(count('MENTION') > 0 ? [msg('mailMentioned')] : []),
    ...(comments > 0 ? [comments === 1 ? msg('mailOneNewComment') : msg('mailNewComments', comments)] : []),
    ...(count('SHIPPED') > 0 ? [msg('mailReleasedInChangelog')] : []),
    ...(count('MERGE') > 0 ? [msg('mailOtherMerged')] : []),
    ...(count('NEW_POST') > 0 ? [msg('mailNewIdea')] : []),
    ...(count('MODERATION') > 0 ? [msg('mailAwaitingReview')] : []),
  ];
  const last = changes.findLast(({ kind }) => kind === 'STATUS');
  return [
    { kind: 'item', text: post.title, url: postUrl(post, board, baseUrl) },
    ...(last ? statusBlock(last) : []),
    ...(lines.length > 0 ? [{ kind: 'small' as const, text: lines.map(write).join(' · ') }] : []),
  ];
}

/** Why the user gets the mail, the strongest reason of several. */
function reasonFor({ user, board, dateVoted }: Composing, reasons: number): LocalizedMessage {
  if (reasons & REASONS.MENTIONED) return msg('mailReasonMentioned');
  if (reasons & REASONS.REPLIED_TO) return msg('mailReasonReplied');
  if (reasons & REASONS.WROTE) return msg('mailReasonPosted');
  if (reasons & (REASONS.UPVOTED | REASONS.DOWNVOTED) && dateVoted !== null) {
    const day = formatDay(languageOf(user, board), user.time_zone ?? board.time_zone, dateVoted);
    return msg('mailReasonVoted', day);
  }
  if (reasons & REASONS.COMMENTED) return msg('mailReasonCommented');
  if (reasons & REASONS.TEAM) return msg('mailReasonTeam');
  return msg('mailReasonFollows');
}
