import type { UserRow } from '../../identity/users/users.ts';

/** Who reads for the command line: nobody on the board, with the rights of an owner. */
export const operator: UserRow = {
  board_id: '',
  id: '',
  sso_type: null,
  sso_id: null,
  name: null,
  name_folded: null,
  email: null,
  email_on_mention: 0,
  bio: null,
  image: null,
  role: 'OWNER',
  is_api_user: 0,
  account_id: null,
  attributes: null,
  date_created: 0,
  date_updated: 0,
};
