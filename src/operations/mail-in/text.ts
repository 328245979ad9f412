import { runInNewContext } from 'node:vm';
import EmailReplyParser from 'email-reply-parser';
import { CUT, markdownOfMail, PICTURE } from './mail-html.ts';
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
  const whole = htmlOf(message, isForwarded) ?? (message.text ?? '').slice(0, MAX_TEXT);
  const [beginning = ''] = isForwarded ? [whole.replaceAll(CUT, '')] : whole.split(CUT, 1);
  const own = isForwarded ? beginning : (within(() => withoutQuotes(beginning)) ?? beginning);
  const pictures = new Set([...own.matchAll(PICTURE)].map(([, id = '']) => id));
  return { text: tidy(own.replace(PICTURE, '')), pictures };
}

/** Null without HTML, and for HTML that takes too long: then the text part counts. */
function htmlOf({ html }: Pick<Message, 'html'>, isForwarded: boolean): string | null {
  if (html === null || html.trim() === '') return null;
  return within(() => markdownOfMail(html, { keepsQuotes: isForwarded }))?.slice(0, MAX_TEXT) ?? null;
}

/** How programs begin the subject of what is forwarded. */
const FORWARDED = /^\s*(?:(?:re|aw|sv|antw)\s*:\s*)*(?:fwd?|wg|tr|rv|enc|i|vs|doorst|pd|转发|轉寄|転送)\s*[:：]/i;
/** How they begin subjects in general. */
const PREFIX =
  /^\s*(?:(?:re|aw|sv|antw|odp|ref|res|rif|fwd?|wg|tr|rv|enc|vs|doorst|pd|回复|回覆|答复|返信|转发|轉寄|転送)(?:\[\d+\])?\s*[:：]\s*)+/i;

/** A subject as the title of an idea; without one, the first line of the text. */
export function titleOf(subject: string, text: string): string {
  const title = subject.replace(PREFIX, '').trim();
  return title || (text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '').replace(/^[#>*\s-]+/, '');
}

function withoutQuotes(text: string): string {
  const long: string[] = [];
  const short = unescaped(text)
    .split('\n')
    .map((line) => (line.length > MAX_LINE ? `\ue000${long.push(line) - 1}\ue001` : line))
    .join('\n');
  const visible = new EmailReplyParser().read(beforeHeaders(short)).getVisibleText();
  const own = visible.trim() || belowQuotes(short);
  return own.replace(/\ue000(\d+)\ue001/g, (_, at: string) => long[Number(at)] ?? '');
}

/** A line of the headers that Outlook and others put above a quote, and the names that the first of them has. */
const HEADER = /^[\s*]{0,4}[\p{L} ]{2,16}\s?[:：][\s*]{0,4}\S/u;
const FIRST =
  /^[\s*]{0,4}(from|date|subject|von|de|da|van|från|fra|od|от|кому|发件人|寄件者|差出人|보낸 사람|من)\s?[:：]/i;

/** A line above a quote that names its writer, in any language. */
const NAMING = /<[^<>\s]{1,200}@[^<>\s]{1,200}>.{0,60}[:：]\s*$/;

/** A text up to three lines of such headers in a row, or to a line that names whom it quotes. */
function beforeHeaders(text: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex(
    (line, n) =>
      (FIRST.test(line) && [1, 2].every((next) => HEADER.test(lines[n + next] ?? ''))) ||
      (NAMING.test(line) && /^(>|$)/.test(lines.slice(n + 1).find((next) => next.trim() !== '') ?? '')),
  );
  return at <= 0 ? text : lines.slice(0, at).join('\n');
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
    .replace(/^\\(?=>|-{2,12} ?\p{L})/gmu, '')
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
