export const name = '0052-import-readings';

/** What was found out and chosen about the columns of a table that is imported on the pages: JSON. */
export function statements(): readonly string[] {
  return ['alter table import_jobs add column reading text'];
}
