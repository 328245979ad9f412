import { hash } from 'node:crypto';
import type { PostRow } from '../../feedback/posts/posts.ts';
import { type StatusRow, statusNameIn } from '../../feedback/statuses/statuses.ts';
import type { BoardRow } from '../../identity/board/board.ts';
import { DEFAULT_COLOR, makeBrand } from '../../identity/board/brand.ts';
import { type Face, loadFaces } from './face.ts';
import { makeLines } from './lines.ts';

/** The size that social networks recommend. */
export const SIZE = { width: 1_200, height: 630 } as const;

/** What the picture of a link to a board or a post shows. */
export type Picture = {
  board: string;
  color: string;
  description: string | null;
  post: { title: string; votes: number; status: { name: string; color: string } | null } | null;
};

/** Characters of a description that a picture has room for. */
const MAX_DESCRIPTION = 200;

/** The picture of a board, or of a post on it. */
export function pictureOf(
  board: Pick<BoardRow, 'name' | 'brand_color' | 'description' | 'locale'>,
  post?: Pick<PostRow, 'title' | 'upvotes'>,
  status?: Pick<StatusRow, 'name' | 'color'>,
): Picture {
  return {
    board: board.name,
    color: board.brand_color ?? DEFAULT_COLOR,
    description: post ? null : (board.description?.slice(0, MAX_DESCRIPTION) ?? null),
    post: post
      ? {
          title: post.title,
          votes: post.upvotes,
          status: status ? { name: statusNameIn(board.locale, status.name), color: status.color } : null,
        }
      : null,
  };
}

/** The version of the drawing itself: a new one gives every picture another name. */
const DRAWING = 1;

/** The name of a picture, which depends on everything that it shows. */
export function versionOf(picture: Picture): string {
  return hash('sha256', JSON.stringify([DRAWING, picture]), 'base64url').slice(0, 22);
}

const MARGIN = 80;
const PAPER = '#fbfaf8';
const INK = '#1d1d24';
const MUTED = '#5b5b63';
const ON_ACCENT = '#ffffff';
const STROKE = 'stroke-width="7" stroke-linecap="round" stroke-linejoin="round"';
/** A title gets the first size in which all of it fits; in the last one it is shortened. */
const TITLE_SIZES = [
  { size: 84, most: 2 },
  { size: 68, most: 3 },
  { size: 56, most: 4 },
] as const;

/** Draws a picture as SVG. All text in it is outlines; a text that the font cannot show is left out. */
export async function drawSvg({ board, color, description, post }: Picture): Promise<string> {
  const { regular, bold } = await loadFaces();
  const accent = makeBrand(color).light.accent;
  const name = bold.printable(board);
  const title = post && bold.printable(post.title);
  const text = description && regular.printable(description);
  const parts = [
    rectangle({ x: 0, y: 0, ...SIZE, color: PAPER }),
    rectangle({ x: 0, y: 0, width: SIZE.width, height: 20, color: accent }),
    title && name ? drawLine(name, bold, { x: MARGIN, y: 124, size: 36, color: MUTED }) : '',
    drawBlock(title ?? name, bold, { sizes: TITLE_SIZES, top: 160, color: INK }),
    drawBlock(text, regular, { sizes: [{ size: 36, most: 3 }], top: 380, color: MUTED }),
    post ? drawFacts(post, bold, accent) : '',
  ];
  const { width, height } = SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`;
}

type Block = { sizes: readonly { size: number; most: number }[]; top: number; color: string };

/** Lines of text in the first size that has room for all of it. */
function drawBlock(text: string | null, face: Face, { sizes, top, color }: Block): string {
  if (!text) return '';
  const width = SIZE.width - 2 * MARGIN;
  const tries = sizes.map(({ size, most }) => ({ size, lines: makeLines(text, { face, size, width, most }) }));
  const chosen = tries.find(({ lines }) => !lines.at(-1)?.endsWith('…')) ?? tries.at(-1);
  const { size = 0, lines = [] } = chosen ?? {};
  return lines.map((line, n) => face.draw(line, { x: MARGIN, y: top + size * (1 + n * 1.2), size, color })).join('');
}

/** At the foot: the votes, in a box like that of the pages, and the status. */
function drawFacts({ votes, status }: NonNullable<Picture['post']>, face: Face, accent: string): string {
  const count = votes < 100_000 ? String(votes) : votes.toLocaleString('en', { notation: 'compact' });
  const width = 110 + face.widthOf(count, 44);
  const x = MARGIN + width + 44;
  const name = status && face.printable(status.name);
  return [
    `<rect x="${MARGIN}" y="490" width="${width}" height="92" rx="16" fill="${accent}"/>`,
    `<path d="M${MARGIN + 32} 546l17-20 17 20" fill="none" stroke="${ON_ACCENT}" ${STROKE}/>`,
    face.draw(count, { x: MARGIN + 82, y: 552, size: 44, color: ON_ACCENT }),
    status ? `<circle cx="${x + 12}" cy="536" r="12" fill="${status.color}"/>` : '',
    name ? drawLine(name, face, { x: x + 44, y: 550, size: 40, color: INK }) : '',
  ].join('');
}

/** One line, as much of it as the picture has room for. */
function drawLine(text: string, face: Face, at: { x: number; y: number; size: number; color: string }): string {
  const [line = ''] = makeLines(text, { face, size: at.size, width: SIZE.width - MARGIN - at.x, most: 1 });
  return face.draw(line, at);
}

type Rectangle = { x: number; y: number; width: number; height: number; color: string };

function rectangle({ x, y, width, height, color }: Rectangle): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${color}"/>`;
}
