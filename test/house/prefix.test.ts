import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = globSync('web/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['web/{build,.react-router,tools,sandbox,playground,widget,vote}/**', 'web/*.ts'],
});

/** What names an address without React Router, which would complete it. */
const RAW = [
  /<(?:a|img|link|iframe|form|use|script|source|object)\b(?:[^<>]|=>|<[^<>]*>)*?\s(?:href|src|action|data)=(\{(?:[^{}]|\{[^{}]*\})*\}|"[^"]*")/g,
  /\b(?:fetch|window\.open|location\.assign|location\.replace|await sendPicture)\(((?:[^()]|\([^()]*\))*)/g,
];

/** Whole addresses, and texts of forms that only stay on the page; where a function passes on what it was given, its callers count. */
const COMPLETE: readonly RegExp[] = [
  /^"[#?][^"]*"$/,
  /^\{`#[^`]*`\}$/,
  // The addresses of a page for others, of a login, of an authenticator, and what visitors have typed.
  /^\{(?:url|feed\.url|login|uri|value|text)\}$/,
  // The settings show this line for another site; its origin is `BASE_URL`.
  /^"\$\{(?:origin|server)\}\/(?:widget|vote)\.js"$/,
  // The page of another site that a visitor returns to.
  /^\{(?:to|back)\}$/,
  /^to$/,
  /^url, \{ signal \}$/,
  /^file, options$/,
  // A file that the page has in itself.
  /^\{csvOf\(/,
  // Where a form of a page is sent to, and where its answer leads.
  /^url(?:, \{ method: 'POST', body, headers \})?$/,
];

test('addresses that React Router does not complete have the prefix of the server', () => {
  const wrong = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const found = RAW.flatMap((form) => [...source.matchAll(form)].map(([, address = '']) => address.trim()));
    const bare = found.filter((address) => !/refix/.test(address) && !COMPLETE.some((form) => form.test(address)));
    return bare.map((address) => `${file}: ${address}`);
  });
  assert.deepEqual(wrong, []);
});
