import type { UserRow } from '../../identity/users/users.ts';
import type { MailBlock, MailStatus } from '../../platform/mail/document.ts';
import { headed, type LocalizedMessage, msg, quote } from '../../platform/messages.ts';
import { initialNameOf } from '../statuses/statuses.ts';

/** Why a user is notified, as bits: there may be several reasons. */
export const REASONS = {
  WROTE: 1,
  UPVOTED: 2,
  DOWNVOTED: 4,
  COMMENTED: 8,
  FOLLOWS: 16,
  REPLIED_TO: 32,
  TEAM: 64,
  MENTIONED: 128,
} as const;

const { WROTE, UPVOTED, DOWNVOTED, COMMENTED, FOLLOWS, REPLIED_TO, TEAM, MENTIONED } = REASONS;
const FOLLOWERS = WROTE | UPVOTED | DOWNVOTED | COMMENTED | FOLLOWS;

/** What happened, as its reader may see it. */
export type Told = {
  /** Who made the change; null once that user is erased. */
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

/** What mails are written with: the language of the reader, and the address of the board. */
export type Writing = { write: (message: LocalizedMessage) => string; boardUrl: string };

/** All that is peculiar to a kind of change that users are notified of. */
type Kind = {
  /** Who is notified, unless the user who makes the change chooses others: a sum of `REASONS`. */
  recipients: number;
  /** The setting by which users stop mail about it. */
  switch: Extract<keyof UserRow, `email_on_${string}`>;
  /** Of several changes in one mail, the one with the lowest rank decides its subject and lead. */
  rank: number;
  /** What moderators may have held back: the one who released it is not notified. */
  released: 'POST' | 'COMMENT' | null;
  /** Whether it quotes the post, if it is about no comment. */
  quotesPost: boolean;
  /** What happened, above the title of the idea. */
  lead: LocalizedMessage;
  subject: (title: string, told: Told) => LocalizedMessage;
  /** What a mail shows of it below the title. */
  blocks: (told: Told, writing: Writing) => MailBlock[];
  /** What a digest says of so many; null for a change of status, which it shows anyway. */
  digest: ((count: number) => LocalizedMessage) | null;
  /** What the inbox says. */
  inbox: (told: Told) => LocalizedMessage;
};

const formerUser = msg('mailFormerUser');
const mergedUnnamed = msg('mailOtherMerged');

/** What users are notified of, in the order in which a digest lists it. */
export const kinds = {
  STATUS: {
    recipients: FOLLOWERS,
    switch: 'email_on_status',
    rank: 2,
    released: null,
    quotesPost: false,
    lead: msg('mailLeadStatus'),
    subject: (title, { move }) => headed(nameOf(move?.to), title),
    blocks: (told, writing) => [...statusBlock(told, writing), ...answerBlocks(told, writing)],
    digest: null,
    inbox: ({ move }) => {
      const to = nameOf(move?.to);
      return move?.from ? msg('mailInboxStatus', nameOf(move.from), to) : msg('mailInboxStatusTo', to);
    },
  },
  OFFICIAL: {
    recipients: FOLLOWERS,
    switch: 'email_on_status',
    rank: 3,
    released: null,
    quotesPost: false,
    lead: msg('mailLeadAnswered'),
    subject: (title) => msg('mailSubjectAnswer', title),
    blocks: answerBlocks,
    digest: () => msg('mailTeamAnswered'),
    inbox: (told) => msg('mailInboxAnswered', nameIn(told)),
  },
  MENTION: {
    recipients: MENTIONED,
    switch: 'email_on_mention',
    rank: 4,
    released: 'COMMENT',
    quotesPost: true,
    lead: msg('mailLeadMentioned'),
    subject: (title) => msg('mailSubjectMentioned', title),
    blocks: quoteBlocks,
    digest: () => msg('mailMentioned'),
    inbox: (told) => msg('mailInboxMentioned', nameIn(told)),
  },
  COMMENT: {
    recipients: WROTE | COMMENTED | FOLLOWS | REPLIED_TO,
    switch: 'email_on_comment',
    rank: 6,
    released: 'COMMENT',
    quotesPost: false,
    lead: msg('mailLeadComment'),
    subject: (title) => msg('mailSubjectComment', title),
    blocks: quoteBlocks,
    digest: (count) => (count === 1 ? msg('mailOneNewComment') : msg('mailNewComments', count)),
    inbox: (told) => msg('mailInboxCommented', nameIn(told)),
  },
  /** A changelog entry that completes the post. */
  SHIPPED: {
    recipients: WROTE | UPVOTED | COMMENTED | FOLLOWS,
    switch: 'email_on_status',
    rank: 1,
    released: null,
    quotesPost: false,
    lead: msg('mailLeadReleased'),
    subject: (title) => msg('mailSubjectReleased', title),
    blocks: entryBlocks,
    digest: () => msg('mailReleasedInChangelog'),
    inbox: ({ entry }) => msg('mailInboxReleased', entry?.title ?? ''),
  },
  MERGE: {
    recipients: WROTE | UPVOTED | DOWNVOTED | FOLLOWS,
    switch: 'email_on_status',
    rank: 5,
    released: null,
    quotesPost: false,
    lead: msg('mailLeadMerged'),
    subject: (title) => msg('mailSubjectMerged', title),
    blocks: ({ source }, { write }) => {
      const what = source === null ? mergedUnnamed : msg('mailMergedIntoIdea', source);
      return [{ kind: 'text', text: write(what) }];
    },
    digest: () => mergedUnnamed,
    inbox: ({ source }) => (source === null ? mergedUnnamed : msg('mailInboxMerged', source)),
  },
  NEW_POST: {
    recipients: TEAM,
    switch: 'email_on_new_post',
    rank: 7,
    released: 'POST',
    quotesPost: true,
    lead: msg('mailLeadNewIdea'),
    subject: (title) => msg('mailSubjectNewIdea', title),
    blocks: quoteBlocks,
    digest: () => msg('mailNewIdea'),
    inbox: (told) => msg('mailInboxNewIdea', nameIn(told)),
  },
  MODERATION: {
    recipients: TEAM,
    switch: 'email_on_moderation',
    rank: 8,
    released: null,
    quotesPost: false,
    lead: msg('mailLeadReview'),
    subject: (title) => msg('mailSubjectReview', title),
    blocks: quoteBlocks,
    digest: () => msg('mailAwaitingReview'),
    inbox: () => msg('mailAwaitingReview'),
  },
} as const satisfies Record<string, Kind>;

export type NoticeKind = keyof typeof kinds;

/** A setting by which users stop mail. */
export type MailSwitch = (typeof kinds)[NoticeKind]['switch'];

export const mailSwitches: readonly MailSwitch[] = [...new Set(Object.values(kinds).map((kind) => kind.switch))];

/** The statuses of a change of status. */
export function statusBlock({ move }: Pick<Told, 'move'>, { write }: Pick<Writing, 'write'>): MailBlock[] {
  if (!move) return [];
  const named = (status: MailStatus) => ({ ...status, name: write(nameOf(status)) });
  return [{ kind: 'status', from: move.from && named(move.from), to: named(move.to) }];
}

function nameOf(status: MailStatus | undefined): LocalizedMessage {
  return initialNameOf(status?.name ?? '') ?? quote(status?.name ?? '');
}

function quoteBlocks(told: Told, writing: Writing): MailBlock[] {
  return quoteAs(null, told, writing);
}

function answerBlocks(told: Told, writing: Writing): MailBlock[] {
  return quoteAs(msg('mailFromTeam'), told, writing);
}

function quoteAs(role: LocalizedMessage | null, told: Told, { write }: Writing): MailBlock[] {
  if (told.text === null) return [];
  const by = told.by ?? write(formerUser);
  return [{ kind: 'quote', by, role: role && write(role), text: told.text }];
}

/** The entry is from the team as a whole, as on the pages. */
function entryBlocks({ entry, text }: Told, { boardUrl }: Writing): MailBlock[] {
  if (!entry) return [];
  const item: MailBlock = { kind: 'item', text: entry.title, url: `${boardUrl}/${entry.path}` };
  return [item, ...(text ? [{ kind: 'text' as const, text }] : [])];
}

function nameIn({ by }: Told): string | LocalizedMessage {
  return by ?? formerUser;
}
