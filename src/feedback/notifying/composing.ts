import { type BoardRow, boardUrl } from '../../identity/board/board.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { translate } from '../../platform/catalogues.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { atLightness, withContrast } from '../../platform/lib/contrast.ts';
import { formatDay } from '../../platform/lib/time-zone.ts';
import type { MailBlock, MailBrand, MailDocument, MailLink, MailStatus } from '../../platform/mail/document.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { kinds, type NoticeKind, REASONS, statusBlock, type Told, type Writing } from '../notices/kinds.ts';
import { type PostRow, postUrl } from '../posts/posts.ts';
import { mailUrl, makeMailToken } from './links.ts';

/** Changes of one post that a mail shows, and posts of a digest. */
const MAX_CHANGES = 10;
const MAX_POSTS = 10;

/** A change that a user is notified of, with what a mail shows of it. */
export type Change = Told & { kind: NoticeKind; reasons: number };

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
  const leading = leadingOf(changes);
  const right = { boardId: board.id, userId: user.id };
  const mute = mailUrl(baseUrl, makeMailToken(cipher, { ...right, postId: post.id }));
  const all = mailUrl(baseUrl, makeMailToken(cipher, { ...right, postId: null }));
  const blocks: MailBlock[] = [
    { kind: 'small', text: write(kinds[leading.kind].lead) },
    { kind: 'heading', text: post.title, url },
    ...(hidden > 0 ? [{ kind: 'small' as const, text: write(msg('mailEarlierHidden', hidden)) }] : []),
    ...shown.flatMap((change) => kinds[change.kind].blocks(change, { write, boardUrl: boardUrl(board, baseUrl) })),
    { kind: 'button', label: write(msg('mailViewIdea')), url },
  ];
  return {
    subject: write(kinds[leading.kind].subject(post.title, leading)),
    body: {
      ...frame(composing, write, blocks, {
        preview: previewOf(changes),
        line: write(reasonFor(composing, reasons)),
        links: [
          ...(reasons & REASONS.TEAM ? [] : [{ label: write(msg('mailMuteIdea')), url: mute }]),
          { label: write(msg('mailPreferences')), url: all },
        ],
        unsubscribeUrl: all,
      }),
      ...(board.is_mail_in_enabled && { takesReplies: true }),
    },
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

type Write = Writing['write'];

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

/** The most important change, the latest of several. */
function leadingOf(changes: readonly Change[]): Change {
  return changes.reduce((first, next) => (kinds[next.kind].rank <= kinds[first.kind].rank ? next : first));
}

function previewOf(changes: readonly Change[]): string | null {
  const last = changes.findLast(({ text }) => text !== null);
  return last?.text?.replace(/\s+/g, ' ').slice(0, 200) ?? null;
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

function digestBlocks({ post, changes }: PostChanges, { board, baseUrl }: Composing, write: Write): MailBlock[] {
  const lines = Object.entries(kinds).flatMap(([kind, { digest }]) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count > 0 && digest ? write(digest(count)) : [];
  });
  const last = changes.findLast(({ move }) => move);
  return [
    { kind: 'item', text: post.title, url: postUrl(post, board, baseUrl) },
    ...(last ? statusBlock(last, { write }) : []),
    ...(lines.length > 0 ? [{ kind: 'small' as const, text: lines.join(' · ') }] : []),
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
