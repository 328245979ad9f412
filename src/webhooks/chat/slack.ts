import { type Escape, fit } from './fit.ts';
import type { ChatMessage } from './message.ts';

/** Maximum lengths in UTF-16 units: Slack takes headers of 150, and texts of 3,000, which five lines and a URL do not reach. */
const MAX = { header: 150, line: 400 } as const;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '@\u200b' };

/** Slack reads these three; programs that take its form may read an @ as well, unless something invisible follows. */
export const escapeText: Escape = (character) => entities[character] ?? character;

/** Programs that render `text` as Markdown see no links, pictures or fenced code. */
const escapeMarkdown: Escape = (character) => (/[\]!`]/.test(character) ? `${character}\u200b` : escapeText(character));

/**
 * A message for an incoming webhook of Slack. What users wrote stands in plain text, where nothing is markup. `text` is
 * for notifications, and for programs such as Mattermost that take no blocks.
 */
export function writeSlack(message: ChatMessage) {
  const { heading, title, url, text, facts, footer } = message;
  const link = title && linkTo(url, line(title));
  return {
    text: writeText(message),
    blocks: [
      { type: 'header', text: plain(fit(heading, MAX.header, escapeText)) },
      ...(link ? [{ type: 'section', text: { type: 'mrkdwn', text: `*${link}*` } }] : []),
      ...(text ? [{ type: 'section', text: plain(line(text)) }] : []),
      { type: 'context', elements: [...facts, footer].map((part) => plain(line(part))) },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

function writeText({ heading, title, url, text, facts, footer }: ChatMessage): string {
  const write = (part: string) => line(part, escapeMarkdown);
  const first = title ? `${write(heading)}: ${linkTo(url, write(title))}` : write(heading);
  return [first, ...[...facts, text ?? '', footer].filter(Boolean).map(write)].join('\n');
}

function linkTo(url: string | null, label: string): string {
  return url ? `<${url}|${label}>` : label;
}

function line(text: string, write: Escape = escapeText): string {
  return fit(text, MAX.line, write);
}

function plain(text: string) {
  return { type: 'plain_text', text, emoji: false };
}
