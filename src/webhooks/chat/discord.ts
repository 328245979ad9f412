import { asIs, type Escape, fit } from './fit.ts';
import type { ChatMessage } from './message.ts';

/** Maximum lengths of the parts of an embed in characters; together they stay below the 6,000 of a message. */
const MAX = { author: 256, title: 256, description: 4_096, line: 600, footer: 600 } as const;

/** The characters of Discord's Markdown, of mentions and of its named emoji. */
export const escapeMarkdown: Escape = (character) =>
  /[\\*_~`|<>[\]()#@:-]/.test(character) ? `\\${character}` : character;

/** A message for a webhook of Discord. It mentions no one, whatever it contains. */
export function writeDiscord({ heading, title, url, text, facts, footer }: ChatMessage) {
  const lines = [...facts, text].flatMap((part) => (part ? [fit(part, MAX.line, escapeMarkdown)] : []));
  const description = fit(lines.join('\n\n'), MAX.description);
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        ...(title && { author: { name: fit(heading, MAX.author, asIs) } }),
        title: fit(title ?? heading, MAX.title, escapeMarkdown),
        ...(url && { url }),
        ...(description && { description }),
        footer: { text: fit(footer, MAX.footer, asIs) },
      },
    ],
  };
}
