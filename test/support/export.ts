import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';

/** The cells of a CSV text, by the rules of RFC 4180; written here once more so that two must agree. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let n = 0; n < text.length; ) {
    let cell = '';
    if (text[n] === '"') {
      for (n++; ; n++) {
        if (text[n] !== '"') cell += text[n];
        else if (text[n + 1] === '"') cell += text[++n];
        else break;
      }
      n++;
    } else while (n < text.length && !/[,\r]/.test(text[n] ?? '')) cell += text[n++];
    row.push(cell);
    if (text[n] === ',') n++;
    else {
      assert.equal(text.slice(n, n + 2), '\r\n');
      n += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

/** Who downloads what; an anonymous reader without a person. */
export type Options = { key?: string | null; as?: string | null; query?: string };

/** Downloads the export. */
export async function get({ app, key }: TestApp, format: 'csv' | 'jsonl', options: Options = {}) {
  const apiKey = options.key === undefined ? key : options.key;
  const as = options.as === undefined ? null : options.as;
  const headers = { ...(apiKey && { apikey: apiKey }), ...(as && { ssotype: 'SSO', ssoid: as }) };
  return app.inject({ url: `/api/${format}?${options.query ?? ''}`, headers });
}

/** The rows of the export for spreadsheets. */
export const csvOf = async (app: TestApp, options?: Options) => parseCsv((await get(app, 'csv', options)).body);

/** The objects of the export as JSON lines. */
export async function jsonOf(app: TestApp, options?: Options) {
  const lines = (await get(app, 'jsonl', options)).body.split('\n');
  assert.equal(lines.pop(), '');
  return lines.map((line) => JSON.parse(line));
}
