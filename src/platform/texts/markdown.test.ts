import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLong } from '../../../test/support/rounds.ts';
import { renderMarkdown } from './markdown.ts';
import { MAX_COLUMNS, MAX_DEPTH } from './markdown-blocks.ts';
import { MAX_MENTIONS, nameMentions } from './mentions.ts';

const LONGEST = 20_000;

test('what people write looks as they mean it', () => {
  const shown: [text: string, html: string][] = [
    [
      '# A\n\n## B\n\n*c* **d** ~~e~~ `f`',
      '<h3>A</h3>\n<h4>B</h4>\n<p><em>c</em> <strong>d</strong> <s>e</s> <code>f</code></p>',
    ],
    ['a\nb', '<p>a<br />\nb</p>'],
    ['> a\n\n1. b\n2. c', '<blockquote>\n<p>a</p>\n</blockquote>\n<ol>\n<li>b</li>\n<li>c</li>\n</ol>'],
    ['```js\n<a>\n```', '<pre><code>&lt;a&gt;\n</code></pre>'],
    ['![x](https://a.example/x.png)', `<p>!${link('https://a.example/x.png', 'x')}</p>`],
    ['[a]: https://a.example\n[a]', `<p>[a]: ${link('https://a.example')}<br />\n[a]</p>`],
    ['[x](javascript:alert)', '<p>[x](javascript:alert)</p>'],
  ];
  for (const [text, html] of shown) assert.equal(renderMarkdown(text), `${html}\n`, text);
});

test('addresses of the web and of mail become links, without the sentence around them', () => {
  const found: Record<string, string[]> = {
    'See https://a.example/b?c=d#e.': ['https://a.example/b?c=d#e'],
    '(https://a.example/b_(c)) and HTTP://A.EXAMPLE!': ['https://a.example/b_(c)', 'HTTP://A.EXAMPLE'],
    '**https://a.example/b** [https://a.example]': ['https://a.example/b', 'https://a.example'],
    'https://grüße.example/ä「x」': ['https://grüße.example/ä'],
    'http://[::1]:4000/x, http://localhost:4000': ['http://[::1]:4000/x', 'http://localhost:4000'],
    'a.b+c@mail.a.example, (x@y.example) x@y': ['a.b+c@mail.a.example', 'x@y.example'],
    'http://bank.example@evil.example xhttp://a.example https:// //a.example ftp://a.example @a.example': [],
    '`https://a.example` [https://a.example](https://b.example)': ['https://a.example'],
    '<https://a.example/(b>, <x@y.example>': ['https://a.example/(b', 'x@y.example'],
  };
  for (const [text, links] of Object.entries(found)) {
    const html = renderMarkdown(text);
    assert.deepEqual(
      [...html.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, words]) => words),
      links,
      text,
    );
  }
  assert.equal(renderMarkdown('x@y.example'), `<p>${link('mailto:x@y.example', 'x@y.example')}</p>\n`);
});

function link(href: string, words = href): string {
  return `<a href="${href}" rel="nofollow ugc noopener">${words}</a>`;
}

const table = (columns: number, rows: readonly string[]) =>
  [
    ' a '.repeat(columns).trim().split('  ').join('|'),
    '-|'.repeat(columns).slice(0, -1) + (columns === 1 ? '|' : ''),
    ...rows,
  ]
    .join('\n')
    .replace(/^a$/m, '|a|');

const ID = '019b0000-0000-7000-8000-000000000001';

test('mentions show the current name; those of unknown users, and more than ten, stay text', () => {
  const show = (text: string) => nameMentions(renderMarkdown(text), (id) => (id === ID ? 'A <b>' : null));
  const mention = `[@Old *name*](user:${ID})`;
  assert.equal(show(`Hi ${mention}!`), '<p>Hi <span class="mention">@A &lt;b&gt;</span>!</p>\n');
  assert.equal(
    show(`**${mention}** \`${mention}\``),
    `<p><strong>${named('A &lt;b&gt;')}</strong> <code>${mention}</code></p>\n`,
  );
  assert.equal(show(mention.replace('1)', '2)')), '<p>@Old *name*</p>\n');
  assert.equal(show(mention.replace('1)', ')')).includes('mention'), false);
  assert.equal(show(`<span class="mention" data-user="${ID}">@x</span>`).includes('A &lt;b&gt;'), false);
  assert.equal(show(mention.repeat(MAX_MENTIONS + 5)).match(/class="mention"/g)?.length, MAX_MENTIONS);
});

function named(name: string): string {
  return `<span class="mention">@${name}</span>`;
}

test('a table has up to 20 columns, and cells for what is in it; empty ones side by side are one', () => {
  for (const columns of [1, 2, MAX_COLUMNS]) {
    assert.equal(renderMarkdown(table(columns, [])).match(/<th>/g)?.length, columns, String(columns));
  }
  const tooWide = renderMarkdown(table(MAX_COLUMNS + 1, ['b|c']));
  assert.doesNotMatch(tooWide, /<table/);
  assert.match(tooWide, /b\|c/);
  const body = (row: string) =>
    /<tbody>(.*)<\/tbody>/s.exec(renderMarkdown(table(4, [row])))?.[1]?.replaceAll('\n', '');
  assert.equal(body('b|c|d|e'), '<tr><td>b</td><td>c</td><td>d</td><td>e</td></tr>');
  assert.equal(body('b'), '<tr><td>b</td><td colspan="3"></td></tr>');
  assert.equal(body('|b| | |c|'), '<tr><td>b</td><td colspan="2"></td><td>c</td></tr>');
  assert.equal(body('||b\\|c||d|'), '<tr><td></td><td>b|c</td><td></td><td>d</td></tr>');
});

test('tables have as many cells as a text has characters; further rows are text, and full ones are never too many', () => {
  const full = table(3, Array<string>(3_000).fill('b|c|d'));
  assert.equal(renderMarkdown(full.slice(0, 1_000)).match(/<tr>/g)?.length, 166);
  // Each of these rows of 2 characters has 20 cells.
  const short = (rows: number) => renderMarkdown(table(MAX_COLUMNS, Array<string>(rows).fill('b')));
  const shown = (rows: number) => [short(rows).match(/<td>b/g)?.length ?? 0, short(rows).match(/^b/gm)?.length ?? 0];
  assert.deepEqual(shown(4), [4, 0]);
  const [inTable = 0, asText = 0] = shown(30);
  assert.ok(inTable > 4 && inTable < 10 && inTable + asText >= 29, `${inTable} rows in the table, ${asText} after it`);
});

test('quotes nest 16 deep, lists 8; what would be deeper is there as text', () => {
  const nested = (marker: string, depth: number) => renderMarkdown(`${marker.repeat(depth)}deepest`);
  for (const [marker, tag, most] of [
    ['> ', /<blockquote>/g, MAX_DEPTH],
    ['- ', /<ul>/g, MAX_DEPTH / 2],
    ['1. ', /<ol>/g, MAX_DEPTH / 2],
  ] as const) {
    for (const depth of [1, most - 1, most]) assert.equal(nested(marker, depth).match(tag)?.length, depth);
    assert.doesNotMatch(nested(marker, most), /(&gt;|-|1\.) *deepest/);
    for (const depth of [most + 1, most + 2, 5_000]) {
      const html = nested(marker, depth);
      assert.equal(html.match(tag)?.length, most);
      assert.match(html, /(&gt;|-|1\.) deepest/, 'nothing is left out');
    }
  }
});

test('a text that would be more elements than its length allows is shown as it was typed', () => {
  const breaks = (count: number) => 'a\n'.repeat(count);
  // One paragraph, and a break at the end of each line but the last.
  const most = 1_000;
  assert.match(renderMarkdown(breaks(most)), /^<p>a<br \/>\na/);
  assert.match(renderMarkdown(breaks(most - 1)), /^<p>/);
  assert.equal(renderMarkdown(breaks(most + 1)), `<pre>${breaks(most + 1)}</pre>`);
  assert.equal(renderMarkdown('<\n'.repeat(4_000)), `<pre>${'&lt;\n'.repeat(4_000)}</pre>`);
});

/** What markdown-it's own tests and others have found to be slow, repeated up to a length. */
const pathological = [
  '>#\n|a|b|\n',
  ...'*_[]<>`&\\|#~"!:@(\n\t-=+;',
  ...['*a **a ', 'a_ ', '_a ', '*a_ ', 'a**b', '**_* ', '*_', '**a*', '*[a', '[*a](b)', '~~a~~~', '***a', '_(a', 'a)_'],
  ...[
    '[a',
    'a]',
    '[]',
    '[](',
    '[](a)',
    '[a](b',
    '[a](<b',
    '[a](b "',
    '[a](b "&amp;',
    '[a](b\\(',
    '[ (](',
    '![[]()',
    '[<[](',
    '](',
    '![',
  ],
  ...[
    '[x]: y\n',
    '[x]:',
    '[x] ',
    '[[a](b)',
    '[`',
    '[<',
    '[http://a.b',
    '[a@b.co',
    '[a](http://é)',
    '[a](& "',
    '``\\',
    '`a``',
  ],
  ...[
    '> ',
    '>\n',
    '>\n\n',
    '>- ',
    '> 1. ',
    '- ',
    '-\n*\n',
    '* a\n',
    '1.\n',
    '1) a\n2. b\n',
    '- - a\n\n',
    '>a\nb\n',
    '\t- ',
  ],
  ...['```\n', '~~~a\n```\n', '    a\n\n', 'a\n=', '=\n', '---\n', '#\n', '# #', 'a  \n', 'a\\\n', '\n\n', '|a|b|\n'],
  ...['-|', '|-|-|\n', 'a|b\n-|-\n', 'a|b\n-|-\nc\n', 'a|b\n-|-\n>\n', '\\|', '||', '|||||||||||||||||\n'],
  ...[
    'http://',
    'http://a ',
    'http://a.b/',
    '//a.b ',
    '//xn--a.',
    'http://xn--a.xn--a',
    'a@b.co ',
    'a@',
    '@a.b',
    'mailto:a@',
  ],
  ...[
    'http://a.b/(',
    'http://a.b/([{',
    '<a:b',
    '<ab:c>',
    '<a@b.co>',
    '</',
    '<!--',
    '&amp;',
    '&#x',
    '&CounterClockwiseContourIntegral;',
  ],
  ...['é', '😀', 'a\u0301', '\u00a0', '\u2028', '%', '%20', '\u0000'],
];

const repeated = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
/** Tables whose rows are shorter than their heads, one after another. */
const shortTables = repeated(`${table(MAX_COLUMNS, Array<string>(40).fill('b'))}\n\n`, LONGEST);
const hostileTexts = [
  // What takes more work for each character the more there are shows in a quarter of the longest text as well.
  ...pathological.map((unit) => repeated(unit, isLong ? LONGEST : LONGEST / 4)),
  ...pathological.map((unit) => `${repeated(unit, 2_000)}a${repeated([...unit].reverse().join(''), 2_000)}`),
  ...[shortTables, `[x]: ${'y'.repeat(LONGEST / 2)}\n\n${'[x] '.repeat(LONGEST / 8)}`],
  `${'> '.repeat(50)}${'a\n'.repeat(LONGEST / 2 - 50)}`,
  Array.from({ length: 200 }, (_, n) => `e${'`'.repeat(n)}`).join(''),

  'a|b\n-|-\n'.repeat(128) + '*~~~a\n```\n'.repeat(10),
  Array.from({ length: 140 }, (_, n) => `${'  '.repeat(n)}* a\n`).join(''),
];

/**
 * Renders a text, and counts how often a character of a string is looked at: that is how everything here that reads a
 * text goes through it, and other than time it is the same on every machine.
 */
function measure(text: string): { html: string; looks: number } {
  const { charCodeAt } = String.prototype;
  let looks = 0;
  String.prototype.charCodeAt = function count(this: string, index: number): number {
    looks++;
    return charCodeAt.call(this, index);
  };
  try {
    return { html: renderMarkdown(text), looks };
  } finally {
    String.prototype.charCodeAt = charCodeAt;
  }
}

/**
 * The HTML of a text is at most so much larger, and so much of it is looked at. Of everything short that was repeated,
 * `[<[](` is the worst: 107 looks at each character however long the text, as brackets nest 20 deep.
 */
function assertBounded(text: string): void {
  const { html, looks } = measure(text);
  const [from, to] = [Buffer.byteLength(text), Buffer.byteLength(html)];
  const start = JSON.stringify(text.slice(0, 60));
  assert.ok(to <= 12 * from + 25_000, `${start}: ${from} bytes became ${to}`);
  assert.ok(looks <= 150 * text.length + 5_000, `${start}: ${looks} looks at ${text.length} characters`);
  assert.ok((html.match(/<\w/g)?.length ?? 0) <= text.length / 4 + 501, `${start}: too many elements`);
}

test('no text becomes much more HTML than it is long, nor more work: what is known to be slow', () => {
  for (const text of hostileTexts) assertBounded(text);
});

test('no text becomes much more HTML than it is long, nor more work: random mixtures', () => {
  const unit = fc.array(fc.oneof(fc.constantFrom(...pathological), fc.string({ maxLength: 2, unit: 'grapheme' })), {
    minLength: 1,
    maxLength: 5,
  });
  const part = fc.tuple(unit, fc.integer({ min: 1, max: 400 })).map(([parts, times]) => parts.join('').repeat(times));
  const hostile = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('').slice(0, LONGEST));
  fc.assert(fc.property(hostile, assertBounded), { numRuns: isLong ? 300 : 100 });
});

test('text that begins as a table and has very many rows is rendered to its end', () => {
  const html = renderMarkdown(`|a|b|\n|-|-|\n${'|*c*|[d](e)|\n'.repeat(25_000)}end`);
  assert.match(html, /end\s*</);
});
