export const name = '0049-field-order';

/** The order of fields: those that there are keep theirs, by age, until they are put into another one. */
export function statements(): readonly string[] {
  return ['alter table fields add column position integer not null default 0'];
}
