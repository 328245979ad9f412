export const name = '0033-programs';

/** The few users of a board that are programs: their votes are counted apart. */
export function statements(): readonly string[] {
  return ['create index users_programs on users (board_id, id) where is_api_user = 1'];
}
