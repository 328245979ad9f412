import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

/**
 * Makes docs/screenshots/: small pictures of every page and every mail, light and dark, which their tests take, and the
 * mails as text. With names of pages, such as `export`, or of mails, such as `email-status`, only theirs are put in place
 * of what is there.
 */
const names = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'docs/screenshots');
const scratch = mkdtempSync(join(tmpdir(), 'earshot-screenshots-'));
const themes = ['light', 'dark'] as const;
/** These are no pages of a test. */
const tools = ['playground', 'sandbox'];
const isMail = (name: string) => name.startsWith('email-');
const WIDTH = 800;
const MAIL_WIDTH = 480;
const MAX_HEIGHT = 1_000;

if (names.length === 0) rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
mkdirSync(join(scratch, 'pages'));
const ofPages = names.length === 0 || names.some((name) => !tools.includes(name) && !isMail(name));
const ofMails = names.length === 0 || names.some(isMail);
const tests = [...(ofPages ? ['test/browser/pages.test.ts'] : []), ...(ofMails ? ['test/browser/mails.test.ts'] : [])];
if (tests.length > 0) {
  const taken = spawnSync(process.execPath, ['test/run.ts', ...tests], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SCREENSHOTS: join(scratch, 'pages') },
  });
  process.exitCode = taken.status ?? 1;
}
// The browser is unpacked there; the tests need a folder that the user of their PostgreSQL may enter.
process.env.TMPDIR = scratch;
const { default: packed } = await import('@sparticuz/chromium');
const executablePath = process.env.CHROMIUM_PATH || (await packed.executablePath());
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
if (names.length === 0 || names.some((name) => tools.includes(name))) await takeTools(browser, join(scratch, 'pages'));
const isWanted = (name: string) => names.length === 0 || names.includes(name);
for (const file of globSync('*-desktop.png', { cwd: join(scratch, 'pages') })) {
  const name = file.replace(/-(light|dark)-desktop\.png$/, '');
  if (isWanted(name) && !name.startsWith('odd-')) await shrink(browser, file);
}
for (const file of globSync('email-*.txt', { cwd: join(scratch, 'pages') })) {
  if (isWanted(basename(file, '.txt'))) copyFileSync(join(scratch, 'pages', file), join(target, file));
}
await browser.close();
rmSync(scratch, { recursive: true, force: true });

/** The playground and the sandbox of a server that is new. */
async function takeTools(of: Browser, folder: string): Promise<void> {
  const port = await findPort();
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(scratch, 'data'), PORT: String(port) };
  const server = spawn(process.execPath, ['src/main.ts', 'serve'], { cwd: root, env });
  await once(server.stdout, 'data');
  for (const colorScheme of themes) {
    for (const tool of tools) {
      const page = await of.newPage({ colorScheme, viewport: { width: 1280, height: 800 } });
      await page.goto(`http://localhost:${port}/api/v1/${tool}`);
      await page.locator('.view-lines').first().waitFor();
      await page.screenshot({ path: join(folder, `${tool}-${colorScheme}-desktop.png`) });
      await page.close();
    }
  }
  server.kill();
  await once(server, 'exit');
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Draws a picture again, smaller, and without what is far below. Mails are as narrow as they are read. */
async function shrink(of: Browser, file: string): Promise<void> {
  const page = await of.newPage({ viewport: { width: isMail(file) ? MAIL_WIDTH : WIDTH, height: MAX_HEIGHT } });
  const data = readFileSync(join(scratch, 'pages', file)).toString('base64');
  const image = `<img style="display:block;width:100%" src="data:image/png;base64,${data}">`;
  await page.setContent(`<div style="max-height:${MAX_HEIGHT}px;overflow:hidden">${image}</div>`);
  const path = join(target, basename(file).replace('-desktop', ''));
  await page.locator('div').screenshot({ path });
  await page.close();
}
