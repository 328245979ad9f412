import type { MailBrand } from '../../platform/mail/document.ts';
import { type BoardRow, boardUrl } from '../board/board.ts';
import { DEFAULT_COLOR, makeBrand } from '../board/brand.ts';
import { isPrivate } from './entry.ts';

/** How mails of a board look. */
export function mailBrandOf(board: BoardRow, baseUrl: string): MailBrand {
  const { light, dark } = makeBrand(board.brand_color ?? DEFAULT_COLOR);
  return {
    name: board.name,
    url: boardUrl(board, baseUrl),
    // Of a private board, programs that show mail get no files: they are not signed in.
    logo: board.logo_url === null || isPrivate(board) ? null : new URL(board.logo_url, baseUrl).href,
    accent: { light: light.accent, dark: dark.accent },
  };
}
