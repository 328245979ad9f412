import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { writeIfChanged } from '../i18n/compile.ts';

/** The icons from Lucide (https://lucide.dev), by their names there. */
const ofLucide = [
  ...[
    'arrow-left',
    'arrow-right',
    'bell',
    'check',
    'chevron-down',
    'git-merge',
    'globe',
    'lightbulb',
    'list-filter',
    'lock',
    'log-out',
  ],
  ...[
    'mail',
    'map',
    'megaphone',
    'message-circle',
    'pin',
    'plus',
    'rows-3',
    'rows-4',
    'rss',
    'search',
    'settings',
    'tag',
  ],
  ...['user-round', 'users-round', 'x'],
  ...[
    'ellipsis',
    'smile-plus',
    'trending-up',
    'pencil',
    'trash',
    'megaphone',
    'bold',
    'italic',
    'link',
    'list',
    'code',
  ],
  ...['image', 'text-quote', 'eye-off', 'share-2', 'clock', 'inbox', 'grip-vertical'],
] as const;

const RING = '<circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" stroke-width="2.6"/>';

/** Our own icons: the arrows of a vote, and the rings of statuses. */
const own = {
  vote: '<path d="M5 15.5 12 8l7 7.5" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>',
  voted:
    '<path d="M5 16 12 8l7 8Z" fill="currentColor" stroke="currentColor" stroke-width="3" stroke-linejoin="round"/>',
  'ring-open':
    '<circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" stroke-width="2.6" stroke-dasharray="3.4 3.28" stroke-linecap="round"/>',
  'ring-dot': `${RING}<circle cx="12" cy="12" r="2.6" fill="currentColor"/>`,
  'ring-quarter': `${RING}<path d="M12 12V6.6a5.4 5.4 0 0 1 5.4 5.4Z" fill="currentColor"/>`,
  'ring-half': `${RING}<path d="M12 6.6a5.4 5.4 0 0 1 0 10.8Z" fill="currentColor"/>`,
  'ring-most': `${RING}<path d="M12 12H6.6A5.4 5.4 0 1 0 12 6.6Z" fill="currentColor"/>`,
  'ring-done':
    '<path fill-rule="evenodd" fill="currentColor" d="M12 2.2a9.8 9.8 0 1 0 0 19.6 9.8 9.8 0 0 0 0-19.6Zm5 7.3-5.9 6.3a1.3 1.3 0 0 1-1.9 0l-2.4-2.5a1.3 1.3 0 0 1 1.9-1.8l1.4 1.5 5-5.3A1.3 1.3 0 0 1 17 9.5Z"/>',
  'ring-closed': `${RING}<path d="M8.4 12h7.2" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/>`,
} as const;

/** The name of an icon. */
export type IconName = (typeof ofLucide)[number] | keyof typeof own;

/** Writes `sprite.svg`, which contains all icons. */
export function compileIcons(): void {
  const file = createRequire(import.meta.url).resolve('@iconify-json/lucide/icons.json');
  const lucide: Record<string, { body: string }> = JSON.parse(readFileSync(file, 'utf8')).icons;
  const symbols = [
    ...ofLucide.map((name) => symbolOf(name, bodyOf(lucide, name))),
    ...Object.entries(own).map(([name, body]) => symbolOf(name, body)),
  ];
  // Every first visit loads it: nothing in it is only for looks.
  const note = '<!-- Icons of Lucide, https://lucide.dev, ISC license -->';
  const sprite = `<svg xmlns="http://www.w3.org/2000/svg">${note}${symbols.join('')}</svg>`;
  writeIfChanged(fileURLToPath(new URL('sprite.svg', import.meta.url)), sprite);
}

/** The content of an icon, without a line width, which the page sets. */
function bodyOf(icons: Record<string, { body: string }>, name: string): string {
  const icon = icons[name];
  if (!icon) throw new Error(`Lucide has no icon ${name}`);
  return icon.body.replaceAll(' stroke-width="2"', '');
}

function symbolOf(name: string, body: string): string {
  return `<symbol id="${name}" viewBox="0 0 24 24">${body}</symbol>`;
}
