import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd, cleanUp, cleanUpOnSignals } from './cleanup.ts';
import { coresInWords } from './cores.ts';
import { describeDisk } from './disk.ts';
import { measureExport } from './export.ts';
import { measureImport } from './import.ts';
import { measureMemory } from './memory.ts';
import { measureMixed } from './mixed.ts';
import { measureNotifications } from './notifications.ts';
import { type Options, type Part, parseOptions } from './options.ts';
import { measurePageThroughput } from './page-throughput.ts';
import { measurePages } from './pages.ts';
import { measurePaging } from './paging.ts';
import { resultsFolder } from './profile.ts';
import { measureReads } from './reads.ts';
import { type PartResult, toMarkdown } from './report.ts';
import { measureSearch } from './search.ts';
import { measureStart } from './start.ts';
import { Stores } from './stores.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureWrites } from './writes.ts';

const measures: Record<Part, (options: Options, stores: Stores) => Promise<PartResult>> = {
  reads: measureReads,
  writes: measureWrites,
  paging: measurePaging,
  search: measureSearch,
  export: measureExport,
  import: measureImport,
  start: measureStart,
  memory: measureMemory,
  pages: measurePages,
  'pages-throughput': measurePageThroughput,
  webhooks: measureWebhooks,
  notifications: measureNotifications,
  mixed: measureMixed,
};

cleanUpOnSignals();
try {
  await run(parseOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await cleanUp();
}

async function run(options: Options): Promise<void> {
  const start = new Date();
  const folder = makeFolder();
  const conditions = [
    `${start.toISOString()}, Node ${process.version}, ${process.platform}-${process.arch}, ${cpus()[0]?.model.trim()}`,
    `${coresInWords}`,
    `${options.rounds} rounds of ${options.seconds} s; medians; ratios are medians of the ratios within each round`,
    describeDisk(folder),
  ];
  const stores = new Stores(folder);
  const results: PartResult[] = [];
  for (const part of options.parts) results.push(await measures[part](options, stores));
  const markdown = toMarkdown(conditions, results);
  console.log(markdown);
  save(start, markdown, { conditions, options, results });
}

/** A folder for the stores. PostgreSQL runs as another user when this one is root, so others may pass through. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  chmodSync(folder, 0o711);
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function save(start: Date, markdown: string, report: object): void {
  mkdirSync(resultsFolder, { recursive: true });
  const file = join(resultsFolder, start.toISOString().replace(/[:.]/g, '-'));
  writeFileSync(`${file}.md`, markdown);
  writeFileSync(`${file}.json`, JSON.stringify(report, null, 2));
  console.error(`Written to ${file}.md and .json`);
}
