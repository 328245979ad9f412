import { type Field, listFields } from '../../feedback/fields/fields.ts';
import type { Actor } from '../../identity/users/authority.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { toByteStream } from '../../platform/http/byte-stream.ts';
import { readChangelog } from './changelog.ts';
import { BYTE_ORDER_MARK, CSV_TYPE, makeCsv } from './csv.ts';
import type { Entry, ExportContent } from './entries.ts';
import { toJsonl } from './jsonl.ts';
import { readEntries } from './read.ts';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type ExportOptions = ExportContent & {
  format: ExportFormat;
  /** The viewer; null means what every member may see. */
  viewer: Actor | null;
  /** Whether it begins with a byte order mark; for CSV. */
  hasByteOrderMark?: boolean;
  /** Called for each part with the number of posts so far. */
  onProgress?: (posts: number) => void;
};

/** Size of a part in UTF-16 units: what is written at a time. */
const PART = 65_536;

type Format = { header: string; toText: (entry: Entry) => string };

const formats: Record<ExportFormat, (fields: readonly Field[]) => Format> = {
  csv: makeCsv,
  jsonl: () => ({ header: '', toText: toJsonl }),
};

/**
 * The board as text, in parts. Nothing more is read before a part is consumed; a caller can stop at any time.
 * Everything in a part is on disk, so a copy of the board never has what a failover lost.
 */
export async function* exportBoard(context: RequestContext, options: ExportOptions): AsyncGenerator<string> {
  const since = context.db.epoch();
  for await (const part of readParts(context, options)) {
    await context.db.durable(since);
    yield part;
  }
}

async function* readParts(context: RequestContext, options: ExportOptions): AsyncGenerator<string> {
  const fields = await listFields(context.db.slow, context.board.id, options.viewer);
  const { header, toText } = formats[options.format](fields);
  // Spreadsheets have the columns of posts.
  const isSheet = options.format === 'csv';
  const content = { ...options, reactions: !isSheet };
  let text = options.hasByteOrderMark ? BYTE_ORDER_MARK + header : header;
  let posts = 0;
  for await (const entries of readEntries(context, options.viewer, content, fields)) {
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
  const entries = isSheet ? [] : readChangelog(context, options.viewer);
  for await (const lines of entries) {
    text += lines;
    if (text.length < PART) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/** An export as bytes, see `toByteStream`. */
export function exportBytes(
  context: RequestContext,
  options: ExportOptions,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return toByteStream(exportBoard(context, options), onFault);
}

/** The headers of an export: its type, the name of the file, and that proxies need not keep a copy on disk first. */
export function exportHeaders({ board, clock }: RequestContext, format: ExportFormat): Record<string, string> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  return {
    'content-type': mediaTypes[format],
    'content-disposition': `attachment; filename="${board.pid}-${day}.${format}"`,
    'x-accel-buffering': 'no',
  };
}

const mediaTypes: Record<ExportFormat, string> = {
  csv: CSV_TYPE,
  jsonl: 'application/jsonl; charset=utf-8',
};
