import { type BoardRow, boardUrl } from '../../identity/board/board.ts';
import { translate } from '../../platform/catalogues.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import type { MailBlock, MailBrand } from '../../platform/mail/document.ts';
import type { NewMail } from '../../platform/mail/mails.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { textForMail } from '../../platform/texts/mail-text.ts';
import { type EntryRow, entryUrl } from './entries.ts';
import type { SubscriberRow } from './subscribers.ts';
import { endUrl } from './subscription-links.ts';

type Composing = { board: BoardRow; brand: MailBrand; entry: EntryRow; baseUrl: string; cipher: Cipher };

/** The mail about an entry to one of those who get the changelog by mail. */
export function composeEntryMail(
  { board, brand, entry, baseUrl, cipher }: Composing,
  { address, locale }: Pick<SubscriberRow, 'address' | 'locale'>,
): NewMail {
  const write = ({ parts }: LocalizedMessage) => translate(locale, parts);
  const url = entryUrl(entry, board, baseUrl);
  const unsubscribeUrl = endUrl(cipher, baseUrl, board.id, address);
  const text = textForMail(entry.text);
  const blocks: MailBlock[] = [
    { kind: 'small', text: write(msg('chatNewEntry')) },
    { kind: 'heading', text: entry.title, url },
    ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
    { kind: 'button', label: write(msg('chatViewEntry')), url },
  ];
  return {
    boardId: board.id,
    recipient: address,
    subject: entry.title,
    body: {
      language: locale,
      brand,
      preview: text === '' ? null : text.replace(/\s+/g, ' ').slice(0, 200),
      blocks,
      footer: {
        lines: [write(msg('changelogMailReason', `${boardUrl(board, baseUrl)}/changelog`))],
        links: [{ label: write(msg('mailUnsubscribe')), url: unsubscribeUrl }],
      },
      list: { id: board.pid, unsubscribeUrl },
    },
  };
}
