export const name = '0037-picture-size';

/** How large a picture is, so that pages keep its place free until it is loaded. */
export function statements(): readonly string[] {
  return ['alter table files add column width integer', 'alter table files add column height integer'];
}
