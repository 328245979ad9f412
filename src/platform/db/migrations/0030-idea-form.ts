export const name = '0030-idea-form';

/** The form for ideas: which fields it asks for, and what a description begins with. */
export function statements(): readonly string[] {
  return [
    'alter table fields add column is_on_form smallint not null default 0',
    'alter table boards add column post_template text',
  ];
}
