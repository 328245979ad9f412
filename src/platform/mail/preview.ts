import type { MailDocument } from './document.ts';
import { renderLightHtml } from './html.ts';
import { cleanBody, cleanSubject } from './mails.ts';
import { renderText } from './plain.ts';

/** What recipients of a mail get: its subject, its HTML as programs in light mode show it, and its text. */
export type MailPreview = { subject: string; html: string; text: string };

/** Makes of a mail what would be sent of it. */
export function renderPreview({ subject, body }: { subject: string; body: MailDocument }): MailPreview {
  const sent = JSON.parse(cleanBody(body)) as MailDocument;
  return { subject: cleanSubject(sent.subject ?? subject), html: renderLightHtml(sent), text: renderText(sent) };
}
