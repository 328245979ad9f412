import type { Engine } from '../db.ts';

export const name = '0014-mail-bodies';

/**
 * Mails keep no text once they are done: it contained links, which were also in every backup. Those of earlier versions
 * keep the greeting, by which erasing a user finds mails to a previous address.
 */
export function statements(engine: Engine): readonly string[] {
  const end = engine === 'sqlite' ? 'instr(body, char(10))' : 'strpos(body, chr(10))';
  return [`update mails set body = substr(body, 1, ${end}) where state <> 'waiting'`];
}
