import { fit } from './fit.ts';
import type { ChatMessage } from './message.ts';

/** The longest text of a card in UTF-16 units; with all of its texts it stays far below the 28 KB of a message. */
const MAX_TEXT = 600;

/**
 * A message for "Post to a channel when a webhook request is received" of the Workflows of Teams: an Adaptive Card.
 * Texts are runs, in which nothing is markup, unlike in a TextBlock.
 */
export function writeTeams({ heading, title, url, linkLabel, text, facts, footer, language }: ChatMessage) {
  const small = { size: 'Small', isSubtle: true } as const;
  const body = [
    paragraph(heading, { weight: 'Bolder', ...small }),
    ...(title ? [paragraph(title, { weight: 'Bolder', size: 'Medium' })] : []),
    ...facts.map((fact) => paragraph(fact)),
    ...(text ? [paragraph(text)] : []),
    paragraph(footer, small),
  ];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    rtl: language === 'ar',
    body,
    ...(url && { actions: [{ type: 'Action.OpenUrl', title: linkLabel, url }] }),
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
  return { type: 'message', attachments: [attachment] };
}

function paragraph(text: string, style: { weight?: 'Bolder'; size?: 'Small' | 'Medium'; isSubtle?: boolean } = {}) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: fit(text, MAX_TEXT), ...style }] };
}
