import type { Engine } from '../db.ts';

export const name = '0059-import-runs';

/** Imports that have ended, and those that are undone together. Those of before count as ended. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    'alter table imports add column date_finished bigint',
    `alter table imports add column adds_to ${id}`,
    'alter table imports add column runs integer not null default 1',
    `alter table imports add column origin text not null default ''`,
    'update imports set date_finished = date_last',
  ];
}
