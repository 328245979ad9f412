import type { Engine } from '../db.ts';

export const name = '0013-key-makers';

/** Who created an API key; null for keys from the command line, and for keys older than this column. */
export function statements(engine: Engine): readonly string[] {
  const id = engine === 'sqlite' ? 'text' : 'text collate "C"';
  return [`alter table api_keys add column made_by ${id}`];
}
