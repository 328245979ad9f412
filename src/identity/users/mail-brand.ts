import type { MailBrand } from '../../platform/mail/document.ts';
import { type BoardRow, boardUrl } from '../board/board.ts';
import { DEFAULT_COLOR, makeBrand } from '../board/brand.ts';
import { isPrivate } from './entry.ts';

/** The branding of a board's mails. */
export function mailBrandOf(board: BoardRow, baseUrl: string): MailBrand {
  return {
    name: board.name,
    url: boardUrl(board, baseUrl),
    // Mail programs get no files of a private board: they are not signed in.
    logo: board.logo_url === null || isPrivate(board) ? null : baseUrl + board.logo_url,
    ...colorsOf(board.brand_color),
  };
}

/** The branding of mails that must not show any board: they name the server. */
export function serverBrand(baseUrl: string): MailBrand {
  return { name: new URL(baseUrl).host, url: baseUrl, logo: null, ...colorsOf(null) };
}

function colorsOf(color: string | null): Pick<MailBrand, 'accent' | 'soft'> {
  const { light, dark } = makeBrand(color ?? DEFAULT_COLOR);
  return { accent: { light: light.accent, dark: dark.accent }, soft: { light: light.soft, dark: dark.soft } };
}
