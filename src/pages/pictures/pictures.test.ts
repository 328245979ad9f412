import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import sharp from 'sharp';
import { type TestWeb, testPages } from '../../../test/support/web.ts';
import { setBoard } from '../../identity/board/board.ts';
import { PICTURES } from '../../platform/limits/network-limit.ts';
import { loadFaces } from './face.ts';
import { makeLines } from './lines.ts';
import { drawSvg, pictureOf, SIZE, versionOf } from './picture.ts';

const BOARD = { name: 'Acme', brand_color: '#d9480f', description: null, locale: 'en' };
const OPEN = { name: 'Open', color: '#6b7280' };
const ofPost = (title: string, upvotes = 3) => pictureOf(BOARD, { title, upvotes }, OPEN);

/** Any text that a title can have, and texts that are hard to lay out. */
const titles = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.stringMatching(/^[ -~ÄÖÜß…“”]{0,200}$/),
  fc.constantFrom('W'.repeat(200), ' '.repeat(200), `${'a '.repeat(99)}b`, 'ab\u034f'.repeat(60), '<&>"\'', ''),
);

test('every text is drawn of letters that the font has, or not at all', async () => {
  const { bold } = await loadFaces();
  assert.equal(bold.printable('Größe, İş, Łódź – “Export”… 100 €'), 'Größe, İş, Łódź – “Export”… 100 €');
  assert.equal(bold.printable('Dark 🎉 mode ✓'), 'Dark mode');
  for (const text of ['深色模式', 'الوضع الداكن', 'Тёмная тема', 'Dark 模式', 'नमस्ते', '𝐁old', '🎉', '\u200b', '']) {
    assert.equal(bold.printable(text), null, text);
  }
  await fc.assert(
    fc.asyncProperty(titles, async (title) => {
      const svg = await drawSvg(ofPost(title));
      assert.match(svg, /^<svg [^<>]*>(<(rect|path|circle|g) [^<>]*>|<\/g>)*<\/svg>$/);
      assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
      assert.ok(svg.length < 400_000, `${svg.length} characters`);
    }),
    { numRuns: 300 },
  );
});

test('a letter that the font lacks is not shown as a box: the name of the board replaces the title', async () => {
  assert.equal(await drawSvg(ofPost('深色模式')), await drawSvg(ofPost('الوضع')));
  assert.notEqual(await drawSvg(ofPost('深色模式')), await drawSvg(ofPost('Acme')));
  const nothing = await drawSvg(pictureOf({ ...BOARD, name: '深色' }, { title: '模式', upvotes: 1 }, OPEN));
  assert.notEqual(nothing, await drawSvg(ofPost('模式', 1)));
});

test('lines fit and lose nothing, but what the last one has no room for', async () => {
  const { bold: face } = await loadFaces();
  const widths = fc.integer({ min: 20, max: 1_000 });
  fc.assert(
    fc.property(titles, widths, fc.integer({ min: 1, max: 4 }), (title, width, most) => {
      const text = face.printable(title);
      if (text === null) return;
      const room = { face, size: 20, width, most };
      const lines = makeLines(text, room);
      assert.ok(lines.length <= most);
      for (const line of lines) assert.ok(face.widthOf(line, 20) <= width || [...line].length <= 2, line);
      const all = lines.join('').replaceAll(' ', '');
      assert.ok(text.replaceAll(' ', '').startsWith(all.replace(/…$/, '')), all);
      if (!lines.at(-1)?.endsWith('…')) assert.equal(all, text.replaceAll(' ', ''));
    }),
    { numRuns: 2_000 },
  );
});

test('a picture has another name as soon as it shows something else', () => {
  const pictures = [
    ofPost('Dark mode'),
    ofPost('Dark mode', 4),
    ofPost('Night mode'),
    pictureOf(BOARD),
    pictureOf({ ...BOARD, brand_color: '#000000' }),
    pictureOf(BOARD, { title: 'Dark mode', upvotes: 3 }, { ...OPEN, name: 'Planned' }),
  ];
  assert.equal(new Set(pictures.map(versionOf)).size, pictures.length);
  assert.equal(versionOf(ofPost('Dark mode')), versionOf(ofPost('Dark mode')));
});

const POST = '/b/acme/posts/1/picture.png';

async function ask({ app }: TestWeb, url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') {
  return app.inject({ url, headers: { host: 'board.test', ...headers }, remoteAddress });
}

testPages(
  'links to a board and its ideas have pictures, which are asked for again only when they change',
  async (web) => {
    await web.makePost('Dark mode');
    const tags: unknown[] = [];
    for (const url of ['/b/acme/picture.png', POST]) {
      const { statusCode, headers, rawPayload } = await ask(web, url);
      assert.equal(statusCode, 200);
      const { format, width, height } = await sharp(rawPayload).metadata();
      assert.deepEqual({ format, width, height }, { format: 'png', ...SIZE });
      assert.deepEqual(
        [headers['content-type'], headers['cache-control'], headers['content-length']],
        ['image/png', 'public, max-age=300', String(rawPayload.length)],
      );
      const again = await ask(web, url, { 'if-none-match': String(headers.etag) });
      assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0]);
      tags.push(headers.etag);
    }
    await web.api.updatePost({
      id: (await web.ask('{ post: postByNumber(number: 1) { id } }')).post.id,
      title: 'Night mode',
    });
    assert.equal((await ask(web, POST, { 'if-none-match': String(tags[1]) })).statusCode, 200);
  },
);

testPages('a picture shows what anonymous visitors see, also to signed-in users', async (web) => {
  await web.makePost('Dark mode');
  const mo = await web.makeMember('Mo', 'MODERATOR');
  assert.equal((await ask(web, POST)).statusCode, 200);
  await mo.post('/b/acme/posts/1/dark-mode', { intent: 'moderate', moderationStatus: 'PENDING' });
  assert.equal((await mo.get(POST)).statusCode, 404);
  for (const url of ['/b/acme/posts/2/picture.png', '/b/acme/posts/x/picture.png', '/b/nowhere/picture.png']) {
    assert.equal((await ask(web, url)).statusCode, 404, url);
  }
});

testPages('a network causes a limited number of pictures a minute; cached ones do not count', async (web) => {
  const draw = async (n: number, address?: string) => {
    await web.db.transaction((tx) => setBoard(tx, web.board.id, { name: `Board ${web.board.id} ${n}` }));
    return (await ask(web, '/b/acme/picture.png', {}, address)).statusCode;
  };
  for (let n = 0; n < PICTURES.most; n++) assert.equal(await draw(n), 200);
  for (let n = 0; n < 3; n++) assert.equal((await ask(web, '/b/acme/picture.png')).statusCode, 200);
  assert.equal(await draw(-1), 429);
  assert.equal(await draw(-2, '198.51.100.1'), 200, 'other networks do not wait');
  web.clock.advance(PICTURES.windowMs);
  assert.equal(await draw(-3), 200);
});

testPages('a picture requested many times at once is drawn once', async (web) => {
  await web.db.transaction((tx) => setBoard(tx, web.board.id, { name: `Board ${web.board.id}` }));
  const answers = await Promise.all(Array.from({ length: PICTURES.most + 20 }, () => ask(web, '/b/acme/picture.png')));
  assert.ok(answers.every(({ statusCode }) => statusCode === 200));
});
