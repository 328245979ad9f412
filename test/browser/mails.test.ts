import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { MailDocument } from '../../src/platform/mail/document.ts';
import { renderHtml } from '../../src/platform/mail/html.ts';
import { renderText } from '../../src/platform/mail/plain.ts';
import { findBarriers, launchBrowser, WCAG } from '../support/browser.ts';
import { isLong } from '../support/rounds.ts';
import { collectMails, noticeMails } from './mails-support.ts';

const docs = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8');
const browser = await launchBrowser();
/** Where pictures of every mail go, for people to look at; without it none are made. */
const pictures = process.env.SCREENSHOTS;

const sizes = { phone: { width: 320, height: 640 }, desktop: { width: 640, height: 480 } } as const;
/** Each size and each theme once; pictures and the long run have them in every combination. */
const looks = [
  ...(isLong || pictures
    ? ([
        ['light', 'phone'],
        ['dark', 'desktop'],
      ] as const)
    : []),
  ['dark', 'phone'],
  ['light', 'desktop'],
] as const;

/** Looks at a mail in both themes and both sizes: nothing is cut off, unreadable, or comes from elsewhere. */
async function look(page: Page, name: string, html: string): Promise<void> {
  await page.setContent(html);
  for (const [colorScheme, size] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(sizes[size]);
    const where = `${name}, ${colorScheme}, ${size}`;
    assert.deepEqual(await findBarriers(page, { tags: WCAG }), [], where);
    const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(tooWide <= 0, `${where} is ${tooWide} px too wide`);
    const file = pictures && join(pictures, `${name}-${colorScheme}-${size}.png`);
    if (file) await page.screenshot({ path: file, fullPage: true });
  }
}

async function openPage(): Promise<{ page: Page; asked: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  await page.route('**/*', (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  if (pictures) mkdirSync(pictures, { recursive: true });
  return { page, asked };
}

/** Without what is different each time: the rights in links, and codes. */
function settle(text: string): string {
  return text
    .replace(/(v1\.|link\/|sign-up\/|join\/|password\/|email\/)[\w-]{20,}/g, '$1…')
    .replace(/(?<![#\w])\d{6}\b/g, '271828');
}

test('every mail can be read in light and dark, on a phone, and as text', async (t) => {
  const mails = await collectMails(t);
  const { page, asked } = await openPage();
  for (const [name, { html, text, headers }] of mails) {
    await look(page, `email-${name}`, settle(html));
    assert.ok(text.trim().length > 40, `${name} has a text`);
    assert.ok((html.match(/mso-padding-alt/g)?.length ?? 0) <= 1, `${name} has one button`);
    const twin = settle(`Subject: ${headers.subject}\n\n${text}`);
    if (pictures) writeFileSync(join(pictures, `email-${name}.txt`), twin);
  }
  assert.deepEqual(asked, []);
  const documented = [...docs.matchAll(/screenshots\/email-([\w-]+)\.txt/g)].map(([, name]) => name);
  assert.deepEqual([...mails.keys()].sort(), documented.sort());
  for (const name of Object.values(noticeMails)) assert.ok(mails.has(name), `a mail of the kind ${name}`);
});

const odd: Record<string, string> = {
  long: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung'.repeat(3).slice(0, 200),
  wordy:
    'Wie wäre es, wenn man alle Filter je Projekt speichern, umbenennen, teilen und im Kalender sehen könnte? '.repeat(
      2,
    ),
  arabic: 'تصدير التقويم لكل شخص على حدة مع التصفية (CSV)',
  hebrew: 'ייצוא לוח שנה, v2.0',
  chinese: '为每个人提供日历订阅功能，并支持按项目筛选和导出为表格文件',
  hostile:
    '</title></td></table><style>*{display:none}</style><img src=http://tracker.example/p.png> &amp; "x" \u202eevil',
  emoji: '👩‍👩‍👧‍👦 🇩🇪 z̸̡͓a̴l̵g̶o̷ ﷽',
};

const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="28"><rect width="120" height="28" rx="6" fill="#0b7a75"/></svg>',
)}`;

test('long, foreign and hostile texts fit, and stay texts', async () => {
  const { page, asked } = await openPage();
  for (const [name, text] of Object.entries(odd)) {
    const chip = { ink: { light: '#5d3b86', dark: '#e4cffb' }, ground: { light: '#f5eefc', dark: '#37264a' } };
    const from = { name: text.slice(0, 50), ...chip };
    const mail: MailDocument = {
      language: 'en',
      brand: {
        name: text.slice(0, 100),
        url: 'http://board.test',
        logo: name === 'wordy' ? LOGO : null,
        accent: { light: '#4b54bf', dark: '#94a4f9' },
        soft: { light: '#e7ecff', dark: '#252b4c' },
      },
      preview: text,
      blocks: [
        { kind: 'small', text },
        { kind: 'heading', text, url: 'http://board.test/1' },
        { kind: 'status', from, to: from },
        { kind: 'quote', by: text.slice(0, 100), role: 'from the team', text: `${text}\n\n${text}` },
        { kind: 'text', text },
        { kind: 'item', text, url: 'http://board.test/2' },
        { kind: 'button', label: 'View the idea', url: 'http://board.test/1' },
      ],
      footer: { lines: [text], links: [{ label: 'Unsubscribe', url: 'http://board.test/email' }] },
      list: null,
    };
    await look(page, `odd-${name}`, renderHtml(mail));
    const shown = await page.locator('h1').innerText();
    assert.equal(shown.replace(/\s+/g, ' '), text.trim().replace(/\s+/g, ' '), name);
    assert.ok(renderText(mail).includes(text), name);
    assert.equal(await page.locator('img').count(), name === 'wordy' ? 1 : 0);
  }
  assert.deepEqual(asked, []);
});
