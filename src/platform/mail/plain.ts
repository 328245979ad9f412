import type { MailBlock, MailDocument } from './document.ts';

/** A mail as plain text, for programs and readers without HTML. */
export function renderText({ blocks, footer }: MailDocument): string {
  const links = footer.links.map(({ label, url }) => `${label}: ${url}`);
  const end = [...footer.lines, ...links];
  const parts = blocks.map(renderBlock);
  return `${[...parts, ...(end.length > 0 ? [`-- \n${end.join('\n')}`] : [])].join('\n\n')}\n`;
}

function renderBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
    case 'small':
      return block.text;
    case 'heading':
      return block.text; // its link is the same as the button's
    case 'item':
      return `${block.text}\n${block.url}`;
    case 'status':
      return `${block.from ? `${block.from.name} ` : ''}→ ${block.to.name}`;
    case 'quote':
      return [`${whom(block)}:`, ...block.text.split('\n').map((line) => `> ${line}`)].join('\n');
    case 'code':
      return `${block.label}: ${block.code}`;
    case 'button':
      return `${block.label}:\n${block.url}`;
    default:
      return block satisfies never;
  }
}

function whom({ by, role }: { by: string; role: string | null }): string {
  return role === null ? by : `${by}, ${role}`;
}
