import type { MailBlock, MailColor, MailDocument, MailLink, MailStatus } from './document.ts';

/**
 * A mail as HTML. Mail programs know tables and styles in attributes; some know `<style>`, which only adds dark mode. Ours
 * instead of a library: docs/decisions/0017.
 */
export function renderHtml(mail: MailDocument): string {
  const { language, brand, preview, blocks, footer } = mail;
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(brand.name)}</title><style>${darkStyles(mail)}</style></head>
<body class="page" style="margin:0;padding:0;background:${PAGE};-webkit-text-size-adjust:100%">
${preview === null ? '' : `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`}
${table(
  'width="100%"',
  `<tr><td align="center" style="padding:32px 16px">${table(
    'width="560" style="width:100%;max-width:560px"',
    `<tr><td style="padding:0 4px 16px">${renderBrand(mail)}</td></tr>
<tr><td class="sheet ink" style="background:#ffffff;border:1px solid #e4e1da;border-radius:12px;padding:28px 32px;${FONT}color:${INK}">
${blocks.map((block) => renderBlock(block, brand.accent)).join('\n')}
</td></tr>
<tr><td class="muted" style="padding:18px 4px 0;${FONT}font-size:13px;line-height:19px;color:${MUTED}">
${footer.lines.map((line) => `<p style="margin:0 0 6px">${escapeHtml(line)}</p>`).join('\n')}
${footer.links.map(renderLink).join(' &nbsp;·&nbsp; ')}
</td></tr>`,
  )}</td></tr>`,
)}
</body></html>
`;
}

const PAGE = '#f6f3ee';
const INK = '#26221d';
const MUTED = '#635c53';
const FONT = "font-family:'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";

function renderBrand({ brand }: MailDocument): string {
  const { name, url, logo } = brand;
  const picture =
    logo === null
      ? ''
      : `<img src="${escapeHtml(logo)}" height="28" alt="" style="height:28px;max-width:160px;border:0;vertical-align:middle"> &nbsp;`;
  return `<a href="${escapeHtml(url)}" class="ink" style="${FONT}font-size:15px;line-height:28px;font-weight:600;color:${INK};text-decoration:none">${picture}${escapeHtml(name)}</a>`;
}

function renderBlock(block: MailBlock, accent: MailColor): string {
  switch (block.kind) {
    case 'text':
      return `<p style="margin:0 0 16px;font-size:15px;line-height:23px">${lines(block.text)}</p>`;
    case 'small':
      return `<p class="muted" style="margin:0 0 12px;font-size:13px;line-height:19px;color:${MUTED}">${lines(block.text)}</p>`;
    case 'heading':
      return `<h1 class="ink" style="margin:0 0 12px;font-size:20px;line-height:27px;font-weight:600;color:${INK};overflow-wrap:anywhere">${renderHeading(block)}</h1>`;
    case 'status':
      return `<p style="margin:0 0 16px;font-size:14px;line-height:22px">${renderStatus(block.from)} &nbsp;&rarr;&nbsp; ${renderStatus(block.to)}</p>`;
    case 'quote':
      return table(
        'width="100%" style="margin:0 0 16px"',
        `<tr><td class="quote" style="background:#f4f3f0;border-radius:8px;padding:14px 16px">
<p class="muted" style="margin:0 0 4px;font-size:13px;line-height:18px;color:${MUTED}">${escapeHtml(block.by)}</p>
<p class="ink" style="margin:0;font-size:15px;line-height:23px;color:${INK};overflow-wrap:anywhere">${lines(block.text)}</p></td></tr>`,
      );
    case 'code':
      return `<p style="margin:0 0 16px;font-size:15px;line-height:23px">${escapeHtml(block.label)}<br>
<strong class="ink" style="font-size:30px;line-height:42px;letter-spacing:6px;color:${INK}">${escapeHtml(block.code)}</strong></p>`;
    case 'button':
      return table(
        'style="margin:0 0 16px"',
        `<tr><td class="accent-fill" bgcolor="${accent.light}" style="border-radius:8px"><a href="${escapeHtml(block.url)}" class="on-accent" style="display:inline-block;padding:11px 20px;font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(block.label)}</a></td></tr>`,
      );
    default:
      return block satisfies never;
  }
}

function renderHeading({ text, url }: { text: string; url?: string }): string {
  if (url === undefined) return escapeHtml(text);
  return `<a href="${escapeHtml(url)}" class="ink" style="color:${INK};text-decoration:none">${escapeHtml(text)}</a>`;
}

/** A class for each color would do for dark mode; the name of a status needs none, for it is set apart by a dot. */
function renderStatus({ name, color }: MailStatus): string {
  return `<span style="color:${color.light}">&#9679;</span>&nbsp;<strong>${escapeHtml(name)}</strong>`;
}

function renderLink({ label, url }: MailLink): string {
  return `<a href="${escapeHtml(url)}" class="muted" style="color:${MUTED}">${escapeHtml(label)}</a>`;
}

function table(attributes: string, rows: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}>${rows}</table>`;
}

/** Colors of dark mode, for programs that have it and follow the mail; others turn the light ones themselves. */
function darkStyles({ brand: { accent } }: MailDocument): string {
  const rules = `.page{background:#101014!important}.sheet{background:#19191e!important;border-color:#2e2e36!important}
.quote{background:#24242b!important}.ink{color:#ecebf2!important}.muted{color:#a9a7b4!important}
.accent-fill{background:${accent.dark}!important}.on-accent{color:#0f0e1d!important}`;
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules}}`;
}

/** A text with its line ends. */
function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
