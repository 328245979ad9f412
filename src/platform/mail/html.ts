import type { MailBlock, MailBrand, MailColor, MailDocument, MailLink, MailStatus } from './document.ts';

/**
 * A mail as HTML. Mail programs support tables and styles in attributes; some support `<style>`, which only adds dark
 * mode and narrow screens. Our own code instead of a library: docs/decisions/0017.
 */
export function renderHtml(mail: MailDocument): string {
  return renderPage(mail, `<style>${styles(mail)}</style>`);
}

/**
 * A mail as programs in light mode show it, for a frame in a page whose policy allows no `<style>`. Its links would
 * open windows, which the frame must not.
 */
export function renderLightHtml(mail: MailDocument): string {
  return renderPage(mail, '<base target="_blank">');
}

function renderPage(mail: MailDocument, head: string): string {
  const { language, brand, preview, blocks, footer } = mail;
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(brand.name)}</title>${head}</head>
<body class="page" bgcolor="${PAGE.light}" style="margin:0;padding:0;background:${PAGE.light};-webkit-text-size-adjust:100%">
${preview === null ? '' : `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`}
${table(
  `width="100%" class="page" bgcolor="${PAGE.light}" style="background:${PAGE.light}"`,
  `<tr><td align="center" class="edge" style="padding:32px 16px">${table(
    'width="560" style="width:100%;max-width:560px"',
    `<tr><td style="padding:0 4px 16px">${renderBrand(brand)}</td></tr>
<tr><td class="sheet ink" bgcolor="${SHEET.light}" style="background:${SHEET.light};border:1px solid ${LINE.light};border-radius:16px;padding:30px 32px 14px;${FONT}color:${INK.light};${BREAK}">
${blocks.map((block) => renderBlock(block, brand)).join('\n')}
</td></tr>
<tr><td class="muted" style="padding:18px 4px 0;${FONT}font-size:13px;line-height:19px;color:${MUTED.light};${BREAK}">
${footer.lines.map((line) => `<p style="margin:0 0 6px">${escapeHtml(line)}</p>`).join('\n')}
${footer.links.map(renderLink).join(' &nbsp;·&nbsp; ')}
</td></tr>`,
  )}</td></tr>`,
)}
</body></html>
`;
}

const PAGE = { light: '#f6f3ee', dark: '#151310' };
const SHEET = { light: '#ffffff', dark: '#1e1b18' };
const LINE = { light: '#e4dfd6', dark: '#37322b' };
const INK = { light: '#26221d', dark: '#efebe4' };
const MUTED = { light: '#635c53', dark: '#aea79c' };
const FONT = "font-family:Figtree,'Segoe UI',Helvetica,Arial,sans-serif;";
/** A word that is longer than a line must not widen its table; some programs support only one of the two. */
const BREAK = 'word-break:break-word;overflow-wrap:anywhere';

/** The logo, or else the first character of the name on the color of the board. */
function renderBrand({ name, url, logo, accent }: MailBrand): string {
  const initial = new Intl.Segmenter().segment(name).containing(0)?.segment.toUpperCase() ?? '';
  const mark = logo
    ? `<img src="${escapeHtml(logo)}" height="28" alt="" style="display:block;height:28px;max-width:160px;border:0">`
    : table(
        'width="28" style="width:28px;min-width:28px"',
        `<tr><td width="28" height="28" align="center" class="accent-fill on-accent" bgcolor="${accent.light}" style="border-radius:8px;color:#ffffff;${FONT}font-size:15px;line-height:28px;font-weight:700">${escapeHtml(initial)}</td></tr>`,
      );
  const link = `<a href="${escapeHtml(url)}" class="ink" style="${FONT}font-size:15px;line-height:20px;font-weight:600;color:${INK.light};text-decoration:none"${directionOf(name)}>${escapeHtml(name)}</a>`;
  return table('', `<tr><td valign="top">${mark}</td><td style="padding:0 10px;${BREAK}">${link}</td></tr>`);
}

function renderBlock(block: MailBlock, brand: MailBrand): string {
  switch (block.kind) {
    case 'text':
      return `<p style="margin:0 0 16px;font-size:15px;line-height:23px"${directionOf(block.text)}>${lines(block.text)}</p>`;
    case 'small':
      return `<p class="muted" style="margin:0 0 12px;font-size:14px;line-height:20px;color:${MUTED.light}">${lines(block.text)}</p>`;
    case 'heading':
      return `<h1 class="ink title" style="margin:0 0 16px;font-size:24px;line-height:30px;font-weight:600;color:${INK.light}"${directionOf(block.text)}>${renderTitle(block)}</h1>`;
    case 'item':
      return `<h2 class="ink" style="margin:20px 0 8px;font-size:17px;line-height:24px;font-weight:600;color:${INK.light}"${directionOf(block.text)}>${renderTitle(block)}</h2>`;
    case 'status':
      return renderMove(block);
    case 'quote':
      return renderQuote(block, brand.soft);
    case 'code':
      return `<p style="margin:0 0 16px;font-size:15px;line-height:23px">${escapeHtml(block.label)}<br>
<strong class="ink" style="font-size:30px;line-height:42px;letter-spacing:6px;color:${INK.light}">${escapeHtml(block.code)}</strong></p>`;
    case 'button':
      return renderButton(block, brand.accent);
    default:
      return block satisfies never;
  }
}

function renderTitle({ text, url }: { text: string; url?: string }): string {
  if (url === undefined) return escapeHtml(text);
  return `<a href="${escapeHtml(url)}" class="ink" style="color:${INK.light};text-decoration:none">${escapeHtml(text)}</a>`;
}

function renderMove({ from, to }: { from: MailStatus | null; to: MailStatus }): string {
  const arrow = `<td class="muted" style="padding:0 10px;color:${MUTED.light};${FONT}font-size:16px">&rarr;</td>`;
  return table('style="margin:0 0 16px"', `<tr>${from ? renderStatus(from) + arrow : ''}${renderStatus(to)}</tr>`);
}

function renderStatus({ name, ink, ground }: MailStatus): string {
  return `<td class="${chipClass(ground)}" bgcolor="${ground.light}" style="border-radius:13px;background:${ground.light};color:${ink.light};${FONT}font-size:13px;line-height:18px;font-weight:600;padding:4px 12px;${BREAK}"${directionOf(name)}>${escapeHtml(name)}</td>`;
}

function chipClass({ light }: MailColor): string {
  return `chip-${light.slice(1)}`;
}

function renderQuote({ by, role, text }: { by: string; role: string | null; text: string }, soft: MailColor): string {
  const whom = `<strong class="ink" style="color:${INK.light}"><bdi>${escapeHtml(by)}</bdi></strong>${role === null ? '' : ` ${escapeHtml(role)}`}`;
  return table(
    'width="100%" style="margin:4px 0 22px"',
    `<tr><td class="quote" bgcolor="${soft.light}" style="background:${soft.light};border-radius:12px;padding:16px 18px;${FONT}${BREAK}">
<p class="muted" style="margin:0 0 4px;font-size:13px;line-height:18px;color:${MUTED.light}">${whom}</p>
<p class="ink" style="margin:0;font-size:15px;line-height:23px;color:${INK.light}"${directionOf(text)}>${lines(text)}</p></td></tr>`,
  );
}

/** Outlook does not support padding of links, but for cells it has its own `mso-padding-alt`. */
function renderButton({ label, url }: { label: string; url: string }, accent: MailColor): string {
  return table(
    'style="margin:4px 0 18px"',
    `<tr><td class="accent-fill" bgcolor="${accent.light}" style="border-radius:10px;mso-padding-alt:12px 20px"><a href="${escapeHtml(url)}" class="on-accent" style="display:inline-block;padding:12px 20px;${FONT}font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr>`,
  );
}

function renderLink({ label, url }: MailLink): string {
  return `<a href="${escapeHtml(url)}" class="muted" style="color:${MUTED.light}">${escapeHtml(label)}</a>`;
}

function table(attributes: string, rows: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>${rows}</table>`;
}

/**
 * Less space on narrow screens; and dark mode, for programs that have it and respect the mail's colors: others invert
 * colors themselves.
 */
function styles({ brand: { accent, soft }, blocks }: MailDocument): string {
  const statuses = blocks.flatMap((block) => (block.kind === 'status' ? [block.from ?? [], block.to].flat() : []));
  const chips = statuses.map(
    ({ ink, ground }) => `.${chipClass(ground)}{background:${ground.dark}!important;color:${ink.dark}!important}`,
  );
  return `:root{color-scheme:light dark}
@media (max-width:480px){.edge{padding:20px 10px!important}.sheet{padding:22px 18px 6px!important}.title{font-size:20px!important;line-height:26px!important}}
@media (prefers-color-scheme:dark){.page{background:${PAGE.dark}!important}
.sheet{background:${SHEET.dark}!important;border-color:${LINE.dark}!important}
.ink{color:${INK.dark}!important}.muted{color:${MUTED.dark}!important}
.quote{background:${soft.dark}!important}
.accent-fill{background:${accent.dark}!important}.on-accent{color:${PAGE.dark}!important}
${[...new Set(chips)].join('\n')}}`;
}

/** The direction of a text, from its first letter; an attribute, because Outlook does not support `auto`. */
function directionOf(text: string): string {
  return /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
    ? ' dir="rtl"'
    : '';
}

/** A text with its line breaks. */
function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
