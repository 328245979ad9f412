import type { ImportItem, ImportItems, SourceName } from './items.ts';
import { readEarshot } from './sources/earshot.ts';
import { readFiderBackup } from './sources/fider-backup.ts';
import { readFiderCsv } from './sources/fider-csv.ts';
import { type Mapping, readMappedCsv } from './sources/mapped-csv.ts';
import { readNoltCsv } from './sources/nolt-csv.ts';
import { readUserVoice } from './sources/uservoice.ts';

/** The items of a file. @param mapping what the columns of a CSV file are, where that cannot be seen */
export function openSource(from: SourceName, file: string, mapping: Mapping): ImportItems {
  return readers[from](file, mapping);
}

const readers: Record<SourceName, (file: string, mapping: Mapping) => AsyncGenerator<ImportItem>> = {
  csv: readMappedCsv,
  earshot: readEarshot,
  fider: (file) => (file.toLowerCase().endsWith('.zip') ? readFiderBackup(file) : readFiderCsv(file)),
  nolt: readNoltCsv,
  uservoice: readUserVoice,
};
