import type { BoardCall } from '../call.ts';
import type { UserRow } from '../users/users.ts';
import { csvHeader, toCsv } from './csv.ts';
import type { Entry, ExportContent } from './entries.ts';
import { toJsonl } from './jsonl.ts';
import { readEntries } from './read.ts';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export type ExportOptions = ExportContent & {
  format: ExportFormat;
  /** Who sees it: null is what every member may see. */
  viewer: UserRow | null;
  /** Told of each part how many posts there are in all so far. */
  onProgress?: (posts: number) => void;
};

/** Text of a part, in UTF-16 units: what is written at a time. */
const PART = 65_536;

const formats: Record<ExportFormat, { header: string; toText: (entry: Entry) => string }> = {
  csv: { header: csvHeader, toText: toCsv },
  jsonl: { header: '', toText: toJsonl },
};

/** The board as text, in parts. Nothing more is read before a part is taken; who has enough just stops. */
export async function* exportBoard(call: BoardCall, options: ExportOptions): AsyncGenerator<string> {
  const { header, toText } = formats[options.format];
  let text = header;
  let posts = 0;
  for await (const entries of readEntries(call, options.viewer, options)) {
    for (const entry of entries) {
      if (entry.kind === 'post') posts++;
      text += toText(entry);
    }
    if (text.length < PART) continue;
    options.onProgress?.(posts);
    yield text;
    text = '';
  }
  options.onProgress?.(posts);
  if (text !== '') yield text;
}
