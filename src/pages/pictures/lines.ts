import type { Face } from './face.ts';

/** Where lines of text have to fit. */
type Room = { face: Face; size: number; width: number; most: number };

/** Cuts a text into lines that fit, between words where it can; the last one ends with an ellipsis when there are too many. */
export function makeLines(text: string, room: Room): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < room.most) {
    const isLast = lines.length === room.most - 1;
    const line = isLast && !fits(rest, room) ? withEllipsis(rest, room) : nextLine(rest, room);
    lines.push(line);
    rest = isLast ? '' : rest.slice(line.length).trimStart();
  }
  return lines;
}

function fits(text: string, { face, size, width }: Room): boolean {
  return face.widthOf(text, size) <= width;
}

/** As many words as fit; of a word that is wider than all of the line, as many characters. */
function nextLine(text: string, room: Room): string {
  const start = beginningThatFits(text, room);
  if (start.length === text.length || text[start.length] === ' ') return start;
  const space = start.lastIndexOf(' ');
  return space > 0 ? start.slice(0, space) : start;
}

function withEllipsis(text: string, room: Room): string {
  const ellipsis = '…';
  const width = room.width - room.face.widthOf(ellipsis, room.size);
  return `${nextLine(text, { ...room, width }).trimEnd()}${ellipsis}`;
}

/** The characters of a text that fit, and at least one. */
function beginningThatFits(text: string, { face, size, width }: Room): string {
  let start = '';
  let used = 0;
  for (const character of text) {
    used += face.widthOf(character, size);
    if (used > width && start !== '') break;
    start += character;
  }
  return start;
}
