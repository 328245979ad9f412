import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { PreparedBoard } from '../crash/board.ts';
import type { Owner } from '../crash/owner.ts';
import { askEarshot } from '../crash/server.ts';
import { parseCsv } from '../support/export.ts';
import { FORM_TYPE, makeForm } from '../support/files.ts';
import { makeSiteFolder } from '../support/site.ts';
import type { StorePlace } from '../support/store.ts';
import { PATIENCE_MS, until } from '../support/until.ts';
import type { Traffic } from './traffic.ts';

/** After how many rounds the board is written as a site. */
const SITE_EVERY = 4;

/** A board that is imported to and exported from. */
export type Moved = { t: TestContext; place: StorePlace; board: PreparedBoard; owner: Owner; traffic: Traffic };

/**
 * Imports ideas on the pages, downloads the board in both formats with all of them, and undoes the import.
 * @returns how the titles of all of them begin, which are deleted permanently
 */
export async function moveInBulk(moved: Moved, round: number, ideas: number): Promise<string> {
  const { owner, traffic } = moved;
  const page = `${owner.home}/settings/import`;
  const act = async (intent: string) => {
    const { status, text } = await owner.send(page, `intent=${intent}`);
    assert.equal(status, 302, `${intent}: ${/role="alert".*?<\//s.exec(text)?.[0]}`);
  };
  const name = `Round ${round} idea`;
  const rows = Array.from({ length: ideas }, (_, n) => `${name} ${n}.,Because.,voter${n % 97}@example.com`);
  const file = makeForm([{ filename: 'ideas.csv', bytes: `title,description,voters\n${rows.join('\n')}\n` }]);
  await traffic.time('import', async () => {
    assert.equal((await owner.send(`${page}/file`, file, FORM_TYPE)).status, 303);
    await untilEnded(owner, page);
    await act('proceed');
    assert.match(await untilEnded(owner, page), /Last import/);
  });
  // As an external id has its title once more, both count only what stands where titles do.
  const titles = { jsonl: new RegExp(`"title":"${name} `, 'g'), csv: new RegExp(`,${name} \\d+\\.,post,`, 'g') };
  for (const format of ['jsonl', 'csv'] as const) {
    const text = await traffic.time(format, () => download(moved, format));
    assert.equal(text.match(titles[format])?.length, ideas, `${format} of round ${round}`);
  }
  if (round % SITE_EVERY === SITE_EVERY - 1) await traffic.time('site', () => writeSite(moved));
  await act('undo');
  assert.match(await untilEnded(owner, page), new RegExp(`Ideas removed: (<!-- -->)?${ideas}`));
  return `${name} `;
}

/** Asserts that all exports have the same posts. @returns how many */
export async function compareExports(moved: Moved): Promise<number> {
  const lines = (await download(moved, 'jsonl')).trim().split('\n');
  const posts = lines.map((line) => JSON.parse(line)).filter(({ row }) => row === 'post');
  const [head = [], ...rows] = parseCsv(await download(moved, 'csv'));
  const inSheet = rows.map((row) => row[head.indexOf('Post')]).filter((id) => id !== '');
  assert.deepEqual(inSheet.sort(), posts.map(({ id }) => id).sort());
  assert.equal(await writeSite(moved), posts.length);
  return posts.length;
}

async function download({ board: { server, key } }: Moved, format: 'csv' | 'jsonl'): Promise<string> {
  const response = await fetch(`${server.url}/api/${format}?comments=true&votes=true`, { headers: { apikey: key } });
  assert.equal(response.status, 200);
  return response.text();
}

async function writeSite({ t, place }: Moved): Promise<number> {
  const url = 'https://example.com/feedback';
  return Number((await askEarshot(place, 'export', '--site', makeSiteFolder(t), '--url', url)).posts);
}

async function untilEnded({ send }: Owner, page: string): Promise<string> {
  let text = '';
  const isOver = async () => {
    const response = await send(page);
    assert.equal(response.status, 200);
    text = response.text;
    return !text.includes('<progress');
  };
  await until('nothing is running', isOver, 10 * PATIENCE_MS, 500);
  return text;
}
