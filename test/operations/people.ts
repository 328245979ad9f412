import { address, email, emailWithDot, id, type MutationRecords, rows, sample, text, words } from './record.ts';

type Names =
  | ('createUser' | 'updateUser' | 'deleteUser' | 'addTeamUser' | 'changeTeamUserRole' | 'removeTeamUser')
  | 'undo';

const profile = { name: text(1, 100), bio: text(0, 1_000), email, imageUrl: address };
const zoe = { ssoId: 'zoe', ssoType: 'SSO' };
const isPersonal = { permanent: 'personal data is kept in one place, and former values would be a second one' };

/** Users, the team, and what it takes back. */
export const peopleRecords: Pick<MutationRecords, Names> = {
  createUser: {
    ...isPersonal,
    args: {
      ...profile,
      ssotype: text(1, 50, { sample: 'SSO' }),
      userId: text(1, 255, { sample: 'gus' }),
      ssoId: text(1, 255, { beside: { userId: undefined } }),
    },
  },
  updateUser: {
    ...isPersonal,
    args: { ...profile, ssoId: words({ sample: '<person>', beside: { name: 'Ada' } }) },
    may: {
      'change a profile (`updateUser`)': [{ ssoType: 'SSO', bio: 'B' }],
      [rows.companies]: [{ ssoType: 'SSO', companies: [{ id: 'acme' }] }],
    },
  },
  deleteUser: {
    args: { ssoId: words({ sample: '<person>' }) },
    may: { 'erase a user (`deleteUser`)': [{ ssoType: 'SSO' }] },
    permanent: 'erasing is permanent by design',
  },
  addTeamUser: {
    args: {
      emails: text(5, 254, { sample: ['<name>@example.com'], text: emailWithDot }),
      type: sample('MODERATOR'),
    },
    may: rows.team,
    permanent: 'the mail is on its way: the invitation is canceled, or the member removed',
  },
  changeTeamUserRole: {
    args: { ssoId: words(), role: sample('MEMBER') },
    may: { [rows.team]: [{ ...zoe, role: 'MODERATOR' }, zoe] },
    undone: { role: { does: { ...zoe, role: 'MODERATOR' }, others: { ...zoe, role: 'ADMIN' } } },
  },
  removeTeamUser: {
    args: { ssoId: words() },
    may: { [rows.team]: [zoe] },
    undone: {
      'remove from the team': {
        does: { ssoId: 'mod', ssoType: 'SSO' },
        others: ['changeTeamUserRole', { ssoId: 'mod', ssoType: 'SSO', role: 'ADMIN' }],
      },
    },
  },
  // Undoing an undone operation does it again: each case of the others is one of this, too.
  undo: { args: { operationId: id('operation') }, may: 'undo what the team did (`undo`)', undone: {} },
};
