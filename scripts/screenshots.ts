import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';

/**
 * Makes docs/screenshots/: small pictures of the pages and mails that the documentation shows, light and dark, which their
 * tests take, and the mails as text. With names, such as `board` or `email-status`, only theirs.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/screenshots');
const scratch = mkdtempSync(join(tmpdir(), 'earshot-screenshots-'));
const isMail = (name: string) => name.startsWith('email-');
const WIDTH = 800;
const MAIL_WIDTH = 480;
const MAX_HEIGHT = 1_000;

const given = process.argv.slice(2);
const names = given.length > 0 ? given : findShown();
if (given.length === 0) rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
mkdirSync(join(scratch, 'pages'));
const tests = [
  ...(names.every(isMail) ? [] : ['test/browser/pages.test.ts']),
  ...(names.some(isMail) ? ['test/browser/mails.test.ts'] : []),
];
const taken = spawnSync(process.execPath, ['test/run.ts', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SCREENSHOTS: join(scratch, 'pages') },
});
process.exitCode = taken.status ?? 1;
// The browser is unpacked there; the tests need a folder that the user of their PostgreSQL may enter.
process.env.TMPDIR = scratch;
const { default: packed } = await import('@sparticuz/chromium');
const executablePath = process.env.CHROMIUM_PATH || (await packed.executablePath());
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
for (const file of globSync('*-desktop.png', { cwd: join(scratch, 'pages') })) {
  const name = file.replace(/-(light|dark)-desktop\.png$/, '');
  if (names.includes(name)) await shrink(browser, file);
}
for (const file of globSync('email-*.txt', { cwd: join(scratch, 'pages') })) {
  if (names.includes(basename(file, '.txt'))) copyFileSync(join(scratch, 'pages', file), join(target, file));
}
await browser.close();
rmSync(scratch, { recursive: true, force: true });

/** The names of the pictures and texts in the documentation. */
function findShown(): string[] {
  const texts = globSync(['README.md', 'docs/*.md'], { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const all = texts.flatMap((text) => [...text.matchAll(/screenshots\/([\w-]+?)(?:-(?:light|dark)\.png|\.txt)/g)]);
  return [...new Set(all.flatMap(([, name]) => name ?? []))];
}

/** Draws a picture again, smaller, and without what is far below. Mails are as narrow as they are read. */
async function shrink(of: Browser, file: string): Promise<void> {
  const page = await of.newPage({ viewport: { width: isMail(file) ? MAIL_WIDTH : WIDTH, height: MAX_HEIGHT } });
  const data = readFileSync(join(scratch, 'pages', file)).toString('base64');
  const image = `<img style="display:block;width:100%" src="data:image/png;base64,${data}">`;
  await page.setContent(`<div style="max-height:${MAX_HEIGHT}px;overflow:hidden">${image}</div>`);
  const path = join(target, basename(file).replace('-desktop', ''));
  // With colors of a palette, which are all that a page has, it is half as large.
  await sharp(await page.locator('div').screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(path);
  await page.close();
}
