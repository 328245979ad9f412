/** Texts that are hard on those who read them, as long as asked for (in UTF-16 units), by what is hard about them. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  'marks in the wrong order': (length) => `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`,
  'marks that alternate': (length) => `a${repeat('\u0301\u0323\u0327', length)}`,
  'marks that are two': (length) => `a${repeat('\u0344\u0f73', length)}`,
  'marks behind letters': (length) => repeat(`e${'\u0323\u0301'.repeat(15)}`, length),
  'Hangul in parts': (length) => repeat('\u1100\u1161\u11a8', length),
  'letters that grow': (length) => repeat('\ufdfa\u0390\u1f82ßİ', length),
  spaces: (length) => `a${' '.repeat(length)}a`,
  'spaces of every kind': (length) => repeat('\u00a0\u2003\u3000\u2028\t\n', length),
  'line ends': (length) => `a${repeat('\r\n\r', length)}a`,
  'one word': (length) => repeat('Aa0', length),
  'quotes and percent signs': (length) => repeat(`'"%_\\\`;--`, length),
  tags: (length) => repeat('<script><a href=x onclick=y>', length),
  'an address': (length) => `${repeat('a.', length / 2)}@${repeat('b.', length / 2)}example`,
  'at signs': (length) => repeat('@', length),
  families: (length) => repeat('👨‍👩‍👧‍👦🏽', length),
  'right to left': (length) => repeat('\u202e\u2067א', length),
  'nothing to see': (length) => repeat('\u200b\ufeff\u2060\u00ad', length),
  'half a surrogate pair': (length) => repeat('a\ud83d', length),
  NUL: (length) => repeat('a\0', length),
  'control characters': (length) => repeat('\u0007\u001b[31m\u0085\u009b', length),
  digits: (length) => repeat('9', length),
  JSON: (length) => repeat('[{"__proto__":', length),
};

/** Markdown that is short and makes work or pages, as `hostileTexts`. */
export const hostileMarkdown: Readonly<Record<string, (length: number) => string>> = {
  'a definition used often': (length) =>
    `[x]: http://a.example/${repeat('b', length / 2)}\n\n${repeat('[x] ', length / 2)}`,
  'many definitions': (length) => lines(length, (n) => `[x${n}]: http://a.example/${n} "t"`),
  'a table of many columns': (length) =>
    `|${repeat('a|', length / 3)}\n|${repeat('-|', length / 3)}\n${repeat('|\n', length / 3)}`,
  'a table of many rows': (length) => `|a|b|\n|-|-|\n${repeat('|*a*|[b](c)|\n', length)}`,
  'quotes in quotes': (length) => `${repeat('>', length)} a`,
  'quotes in quotes on every line': (length) => lines(length, () => `${'>'.repeat(80)} a`),
  'lists in lists': (length) => `${repeat('- ', length)}a`,
  'lists in lists on every line': (length) => lines(length, (n) => `${'  '.repeat(n % 90)}- a`),
  'opening brackets': (length) => repeat('[', length),
  'brackets in brackets': (length) => `${repeat('[', length / 2)}a${repeat(']', length / 2)}`,
  'links that do not end': (length) => repeat('[a](', length),
  'links with long titles': (length) => repeat('[a](<b> "', length),
  'pictures in links': (length) => repeat('[![', length),
  'emphasis that opens': (length) => repeat('*a _b ', length),
  'emphasis of every kind': (length) => repeat('***a**_b_*~~c__', length),
  stars: (length) => repeat('*', length),
  'stars between letters': (length) => repeat('a**b', length),
  'code of every length': (length) => lines(length, (n) => `${'`'.repeat((n % 200) + 1)}a`, ''),
  'code that does not end': (length) => repeat('`a``b', length),
  fences: (length) => lines(length, () => '```a'),
  backslashes: (length) => repeat('\\', length),
  entities: (length) => repeat('&amp&#x41;&lt', length),
  'comments of HTML': (length) => repeat('<!--', length),
  'addresses without an end': (length) => repeat('http://a.example/(', length),
  'addresses in addresses': (length) => repeat('http://', length),
  'names of hosts': (length) => repeat('a.co.', length),
  'mail addresses': (length) => repeat('a@b.co ', length),
  colons: (length) => repeat('a:', length),
  headings: (length) => lines(length, () => '# a'),
  rules: (length) => lines(length, () => '***'),
  'lines that break': (length) => repeat('a\n', length),
};

/** So many times that it has this length. */
export function repeat(text: string, length: number): string {
  return text.repeat(Math.max(1, Math.floor(length / text.length)));
}

/** Lines until there are as many characters. */
function lines(length: number, line: (n: number) => string, end = '\n'): string {
  const made: string[] = [];
  for (let n = 0, size = 0; size < length; n++) {
    const next = line(n) + end;
    made.push(next);
    size += next.length;
  }
  return made.join('');
}
