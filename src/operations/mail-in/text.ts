import { runInNewContext } from 'node:vm';
import EmailReplyParser from 'email-reply-parser';
import { CUT, markdownOfMail, PICTURE, textOfHtml } from './mail-html.ts';
import type { Message } from './message.ts';

/** Characters that are looked at: an idea has at most 20,000. */
const MAX_TEXT = 40_000;
/** Longer lines are passed over by the search for quotes: no program writes such headers of quotes. */
const MAX_LINE = 500;
/** Milliseconds for turning a mail into text. Patterns that look for quotes take minutes for texts made for that. */
const LIMIT_MS = 500;

/** The text of a mail, and the content ids of the pictures in it. */
export type MailText = { text: string; pictures: ReadonlySet<string> };

/** What the sender of a mail wrote, as Markdown: without quotes and signatures, unless it is forwarded. */
export function textOf(message: Pick<Message, 'subject' | 'text' | 'html'>): MailText {
  const isForwarded = FORWARDED.test(message.subject);
  const fromHtml = ownOf(htmlOf(message, isForwarded) ?? '', isForwarded);
  // Some programs write within what they mark as a quote.
  if (fromHtml.text !== '' || fromHtml.pictures.size > 0 || message.text === null) return fromHtml;
  return ownOf(message.text.slice(0, MAX_TEXT), isForwarded);
}

function ownOf(whole: string, isForwarded: boolean): MailText {
  const [beginning = ''] = isForwarded ? [whole.replaceAll(CUT, '')] : whole.split(CUT, 1);
  const own = isForwarded ? beginning : (within(() => withoutQuotes(beginning)) ?? beginning);
  const pictures = new Set([...own.matchAll(PICTURE)].map(([, id = '']) => id));
  return { text: tidy(own.replace(PICTURE, '')), pictures };
}

/** Null without HTML, and for HTML that takes too long where there is a text part. */
function htmlOf({ html, text }: Pick<Message, 'html' | 'text'>, isForwarded: boolean): string | null {
  if (html === null || html.trim() === '') return null;
  const markdown = within(() => markdownOfMail(html, { keepsQuotes: isForwarded }));
  return (markdown ?? (text?.trim() ? null : within(() => textOfHtml(html))))?.slice(0, MAX_TEXT) ?? null;
}

/** How programs begin the subject of what is forwarded. */
const FORWARDED =
  /^\s*(?:(?:re|aw|sv|antw)\s*:\s*)*(?:fwd?|wg|tr|rv|enc|i|vs|vl|vb|doorst|pd|ilt|转发|轉寄|轉發|転送|전달|إعادة توجيه)\s*[:：]/i;
/** How they begin subjects in general. */
const PREFIX =
  /^\s*(?:(?:re|aw|sv|antw|odp|ref|res|rif|r|ynt|atb|ats|fwd?|wg|tr|rv|enc|vs|vl|vb|doorst|pd|ilt|回复|回覆|答复|返信|转发|轉寄|轉發|転送|회신|전달|رد|إعادة توجيه)(?:\[\d+\])?\s*[:：]\s*)+/i;

/** A subject as the title of an idea; without one, the first line of the text. */
export function titleOf(subject: string, text: string): string {
  const title = subject.replace(PREFIX, '').trim();
  return title || (text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '').replace(/^[#>*\s-]+/, '');
}

function withoutQuotes(text: string): string {
  const long: string[] = [];
  const short = withoutArmor(unescaped(text))
    .split('\n')
    .map((line) => (line.length > MAX_LINE ? `\ue000${long.push(line) - 1}\ue001` : line))
    .join('\n');
  const visible = new EmailReplyParser().read(beforeHeaders(short)).getVisibleText();
  const own = visible.trim().replace(SENT_WITH, '') || belowQuotes(short);
  return own.replace(/\ue000(\d+)\ue001/g, (_, at: string) => long[Number(at)] ?? '');
}

/** A line of the headers that Outlook and others put above a quote, and the names that the first of them has. */
const HEADER = /^[\s*]{0,4}[\p{L} ]{2,16}\s?[:：][\s*]{0,4}\S/u;
const FIRST =
  /^[\s*]{0,4}(from|date|subject|von|de|da|van|från|fra|od|от|кому|发件人|寄件者|差出人|보낸 사람|من)\s?[:：]/i;

/** A line above a quote that names its writer, in any language, and the time that it has, or the line before if it is long. */
const NAMING = /<[^<>\s]{1,200}@[^<>\s]{1,200}>.{0,60}[:：]\s*$/;
const TIME = /\b\d{1,2}[:.]\d{2}\b/;
const DATED = /\b\d{4}\b.*\b\d{1,2}[:.]\d{2}\b/;
/** A line between a mail and the one below it. */
const BETWEEN = /^[\s\\]{0,4}-{3,40}[ \u00a0]?\p{L}[^-]{0,60}[ \u00a0]?-{3,40}\s*$/u;

/** What programs write below a mail, as its last line. */
const SENT_WITH = new RegExp(
  '\\n\\s*(?:sent (?:with|via) .{2,60}|enviado (?:do|pelo|com) .{2,60}|wysłan[eo] z .{2,60}|inviato da .{2,60}|skickat från .{2,60}|' +
    'отправлено (?:с|из) .{2,60}|надіслано з .{2,60}|.{2,30}から送信|发自我的.{2,30}|發自我的.{2,30}|從我的.{2,30}傳送|.{2,30}에서 보냄|' +
    'م[ُ]?رسل من .{2,60})$',
  'iu',
);

/** A text up to three lines of such headers in a row, blank ones apart, or to a line that names whom it quotes. */
function beforeHeaders(text: string): string {
  const lines = text.split('\n');
  const next = (n: number) => lines.findIndex((line, m) => m > n && line.trim() !== '');
  const at = lines.findIndex((line, n) => {
    if (NAMING.test(line)) return TIME.test(line) || (lines[next(n)] ?? '>').startsWith('>');
    if (DATED.test(line) && NAMING.test(lines[n + 1] ?? '')) return true;
    if (!FIRST.test(line)) return false;
    const [second, third] = [next(n), next(next(n))];
    return HEADER.test(lines[second] ?? '') && HEADER.test(lines[third] ?? '');
  });
  if (at <= 0) return text;
  const above = lines.slice(0, at).join('\n').trimEnd().split('\n');
  return (BETWEEN.test(above.at(-1) ?? '') ? above.slice(0, -1) : above).join('\n');
}

/** What someone wrote and signed with OpenPGP, without the signature. */
function withoutArmor(text: string): string {
  const [, signed] =
    /^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[^\n]+\n)*\n([\s\S]*?)\n-----BEGIN PGP SIGNATURE-----/.exec(
      text.trimStart(),
    ) ?? [];
  return signed === undefined ? text : signed.replace(/^- /gm, '');
}

/** What is written below or between quotes, where nothing is above them. */
function belowQuotes(text: string): string {
  const lines = text.split('\n');
  const isQuoted = (line = '') => line.startsWith('>');
  return lines.filter((line, n) => !isQuoted(line) && !(/[:：]\s*$/.test(line) && isQuoted(lines[n + 1]))).join('\n');
}

/** Lines before signatures and quotes as they were before they became Markdown. */
function unescaped(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\ue000\ue001]/g, '')
    .replace(/^\\(-{2,4}[ \u00a0]*)$/gm, '$1')
    .replace(/^\\(?=>|-{2,40}[ \u00a0]?\p{L})/gmu, '')
    .replace(/^(?:\\_)+$/gm, (line) => line.replaceAll('\\', ''));
}

function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replace(/(?:\n+\* \* \*)+$/, '')
    .toWellFormed()
    .trim();
}

/** What a function gives; null if it takes too long, or fails. */
function within<T>(work: () => T): T | null {
  try {
    return runInNewContext('work()', { work }, { timeout: LIMIT_MS });
  } catch {
    return null;
  }
}
