import type { Engine } from '../db.ts';

export const name = '0051-deleted-comments';

/** Who deleted a comment: what its author deleted, they bring back themselves. Of earlier ones it is not known. */
export function statements(engine: Engine): readonly string[] {
  return [`alter table comments add column deleted_by ${engine === 'sqlite' ? 'text' : 'text collate "C"'}`];
}
