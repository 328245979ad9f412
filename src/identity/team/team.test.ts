import assert from 'node:assert/strict';
import type { BoardUserType } from '../../../sdk/src/schema.ts';
import { refusalOf } from '../../../test/support/api.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { textOfMail } from '../../../test/support/sender.ts';
import { findUserById } from '../users/users.ts';
import { acceptInvitation, insertInvitation, requireInvitation } from './invitations.ts';
import { MAX_INVITATIONS, MAX_INVITED } from './inviting.ts';
import { changeRole, joinTeam } from './members.ts';

const TEAM = '{ board { team { id isInvitationPending role email ssoId user { name } } } } ';

type Member = { id: string; email: string | null; role: string; isInvitationPending: boolean; ssoId: string | null };

const teamOf = async ({ ask }: TestApp, as: string | null = 'ada'): Promise<Member[]> =>
  (await ask(TEAM, {}, { as })).board.team;

testBoth('the team is the owners first, and for admins the invitations that wait', async (app) => {
  await app.makeUser('mia');
  await app.makeUser('mod', 'MODERATOR');
  await app.api.addTeamUser({ emails: ['Eve@Example.com', 'eve@example.com', 'fay@example.com'], type: 'ADMIN' });
  const lines = (members: Member[]) =>
    members.map(({ ssoId, email, role, isInvitationPending }) => [ssoId ?? email, role, isInvitationPending].join(' '));
  const members = ['ada OWNER false', 'mod MODERATOR false'];
  const invited = ['fay@example.com ADMIN true', 'eve@example.com ADMIN true'];
  assert.deepEqual(lines(await teamOf(app)), [...members, ...invited]);
  assert.deepEqual(lines(await teamOf(app, 'mod')), members);
  assert.deepEqual(lines(await teamOf(app, 'mia')), members);
  assert.deepEqual(await teamOf(app, null), []);
  const mails = await app.db.read.selectFrom('mails').selectAll().orderBy('id').execute();
  assert.deepEqual(
    mails.map((mail) => mail.recipient),
    ['eve@example.com', 'fay@example.com'],
  );
  assert.match(
    mails[0] ? textOfMail(mails[0]) : '',
    /^Your invitation to Acme\n\nHello,\n\nada invited you to join the team .* as admin\..*\/join\/[\w-]{43}\n/s,
  );
  app.clock.advance(7 * 86_400_000);
  assert.deepEqual(lines(await teamOf(app)), members);
});

testBoth('an invitation replaces one that waits, and sent twice within a minute it is sent once', async (app) => {
  const emails = ['eve@example.com'];
  const count = async () => (await app.db.read.selectFrom('mails').select('id').execute()).length;
  await app.api.addTeamUser({ emails, type: 'ADMIN' });
  await app.api.addTeamUser({ emails, type: 'ADMIN' });
  assert.equal(await count(), 1);
  const addTeamUser = await app.api.addTeamUser({ emails, type: 'MODERATOR' }, { team: { email: true, role: true } });
  assert.deepEqual(addTeamUser.team.slice(1), [{ email: 'eve@example.com', role: 'MODERATOR' }]);
  app.clock.advance(60_000);
  await app.api.addTeamUser({ emails, type: 'MODERATOR' });
  assert.equal(await count(), 3);
});

testBoth('one mailbox gets 20 invitations a day, however often it is invited', async (app) => {
  const key = await app.makeKey({}, await app.makeBoard({ name: 'Other' }));
  await app.makeUser('eve', 'MEMBER', { key });
  await app.db.transaction((tx) =>
    tx.updateTable('users').set({ role: 'OWNER' }).where('sso_id', '=', 'eve').execute(),
  );
  const invite = async (n: number) => {
    app.clock.advance(60_000);
    const emails = [`victim+${n % 3}@example.com`];
    return refusalOf(app.api.as(n % 2 === 0 ? {} : { key, as: 'eve' }).addTeamUser({ emails, type: 'ADMIN' }));
  };
  for (let n = 1; n <= 20; n++) assert.equal(await invite(n), null, String(n));
  assert.match((await invite(0)) ?? '', /^RATE_LIMIT_EXCEEDED/);
  assert.equal(await refusalOf(app.api.addTeamUser({ emails: ['other@example.com'], type: 'ADMIN' })), null);
  app.clock.advance(86_400_000);
  assert.equal(await invite(0), null);
});

testBoth('a call invites 1 to 20 people, or none if one address is wrong', async (app) => {
  const emails = Array.from({ length: MAX_INVITED }, (_, n) => `p${n}@example.com`);
  const type = 'MODERATOR';
  assert.equal(MAX_INVITED, 20);
  assert.equal(
    await refusalOf(app.api.addTeamUser({ emails: [], type })),
    'BAD_REQUEST: emails must have 1 to 20 addresses; it has 0',
  );
  assert.equal(
    await refusalOf(app.api.addTeamUser({ emails: [...emails, 'x@example.com'], type })),
    'BAD_REQUEST: emails must have 1 to 20 addresses; it has 21',
  );
  assert.equal(
    await refusalOf(app.api.addTeamUser({ emails: ['a@example.com', 'nobody'], type })),
    'BAD_REQUEST: emails must be an address such as name@example.com',
  );
  assert.equal(
    await refusalOf(app.api.addTeamUser({ emails, type: 'MEMBER' })),
    'BAD_REQUEST: type must be MODERATOR, ADMIN or OWNER',
  );
  assert.equal((await teamOf(app)).length, 1);
  assert.equal(await refusalOf(app.api.addTeamUser({ emails, type })), null);
  assert.equal((await teamOf(app)).length, 21);
});

testBoth('a board has at most 100 invitations that wait', async (app) => {
  const context = { db: app.db, clock: app.clock, baseUrl: '', board: app.board };
  const add = (n: number) =>
    app.db.transaction((tx) =>
      insertInvitation(tx, context, { email: `p${n}@example.com`, role: 'ADMIN', invitedBy: null, lastsMs: 60_000 }),
    );
  for (let n = 1; n < MAX_INVITATIONS; n++) await add(n);
  const invite = (email: string) => refusalOf(app.api.addTeamUser({ emails: [email], type: 'ADMIN' }));
  assert.equal(await invite('last@example.com'), null);
  assert.equal(
    await invite('more@example.com'),
    'CONFLICT: A board has at most 100 pending invitations: cancel some first',
  );
  app.clock.advance(59_000);
  assert.equal(await invite('p1@example.com'), null); // in place of the one that waits
  app.clock.advance(1_000);
  assert.equal(await invite('more@example.com'), null); // most are too old by now
});

testBoth('an invitation to a role is replaced and canceled by those who could grant it', async (app) => {
  await app.makeUser('adm', 'ADMIN');
  await app.api.addTeamUser({ emails: ['eve@example.com'], type: 'OWNER' });
  const id = (await teamOf(app)).find(({ isInvitationPending }) => isInvitationPending)?.id ?? '';
  const above = 'FORBIDDEN: This requires the role owner; yours is admin';
  assert.equal(await refusalOf(app.api.as('adm').removeTeamUser({ ssoId: id })), above);
  app.clock.advance(60_000);
  assert.equal(await refusalOf(app.api.as('adm').addTeamUser({ emails: ['eve@example.com'], type: 'ADMIN' })), above);
  assert.equal((await teamOf(app)).filter(({ role }) => role === 'OWNER').length, 2);
  assert.equal(await refusalOf(app.api.removeTeamUser({ ssoId: id })), null);
  assert.equal((await teamOf(app)).length, 2);
});

testBoth('a board invites 500 addresses a day, canceled invitations included', async (app) => {
  const invite = (n: number) => {
    const emails = Array.from({ length: MAX_INVITED }, (_, each) => `p${n}-${each}@example.com`);
    return refusalOf(app.api.addTeamUser({ emails, type: 'MODERATOR' }));
  };
  for (let n = 0; n < 500; n += MAX_INVITED) {
    assert.equal(await invite(n), null);
    await app.db.transaction((tx) => tx.deleteFrom('invitations').execute());
  }
  assert.match(String(await invite(500)), /^RATE_LIMIT_EXCEEDED/);
  app.clock.advance(86_400_000);
  assert.equal(await invite(500), null);
});

testBoth('an admin who was removed does not return by what a process still knows of them', async (app) => {
  const { db, clock, board } = app;
  const id = await app.makeUser('adm', 'ADMIN');
  const actor = await findUserById(db.read, board.id, id);
  assert.ok(actor);
  await app.api.changeTeamUserRole({ ssoId: 'adm', role: 'MEMBER' });
  const context = { db, clock, board, baseUrl: 'http://board.test', actor };
  await assert.rejects(changeRole(context, id, 'ADMIN'), /Only admins can manage the team; your role is member/);
  assert.equal((await findUserById(db.read, board.id, id))?.role, 'MEMBER');
});

testBoth('an admin grants and revokes roles up to their own, and an owner always remains', async (app) => {
  await app.makeUser('adm', 'ADMIN');
  await app.makeUser('mod', 'MODERATOR');
  await app.makeUser('mia');
  const change = (ssoId: string, role: BoardUserType, by = 'adm') =>
    refusalOf(app.api.as(by).changeTeamUserRole({ ssoId, role }));
  const above = 'FORBIDDEN: This requires the role owner; yours is admin';
  assert.equal(await change('mia', 'ADMIN'), null);
  assert.equal(await change('mia', 'OWNER'), above);
  assert.equal(await change('adm', 'OWNER'), above);
  assert.equal(await change('ada', 'ADMIN'), above);
  assert.equal(await refusalOf(app.api.as('adm').removeTeamUser({ ssoId: 'ada' })), above);
  assert.equal(await refusalOf(app.api.as('adm').addTeamUser({ emails: ['o@example.com'], type: 'OWNER' })), above);
  const needsAdmin = 'FORBIDDEN: Only admins can manage the team; your role is moderator';
  assert.equal(await change('mia', 'MODERATOR', 'mod'), needsAdmin);
  assert.equal(await refusalOf(app.api.as('mod').removeTeamUser({ ssoId: 'mod' })), needsAdmin);
  assert.equal(
    await refusalOf(app.api.as('mod').addTeamUser({ emails: ['o@example.com'], type: 'MODERATOR' })),
    needsAdmin,
  );
  assert.equal(await change('nobody', 'ADMIN'), 'NOT_FOUND: User not found');
  const last = 'CONFLICT: A board needs an owner: make someone else an owner first';
  assert.equal(await change('ada', 'MEMBER', 'ada'), last);
  assert.equal(await refusalOf(app.api.removeTeamUser({ ssoId: 'ada' })), last);
  assert.equal(await change('mia', 'OWNER', 'ada'), null);
  assert.equal(await change('ada', 'ADMIN', 'ada'), null);
  assert.equal(await change('ada', 'OWNER', 'ada'), above);
});

testBoth('when two owners remove each other at once, one remains', async (app) => {
  await app.makeUser('bob', 'OWNER');
  const answers = await Promise.all([
    refusalOf(app.api.removeTeamUser({ ssoId: 'bob' })),
    refusalOf(app.api.as('bob').removeTeamUser({ ssoId: 'ada' })),
  ]);
  assert.equal(answers.filter((answer) => answer === null).length, 1);
  const owners = await app.db.read.selectFrom('users').select('id').where('role', '=', 'OWNER').execute();
  assert.equal(owners.length, 1);
});

testBoth('people and invitations are removed, by their own id where they have no external id', async (app) => {
  await app.makeUser('mod', 'MODERATOR');
  const context = { db: app.db, clock: app.clock, baseUrl: '', board: app.board };
  const account = { id: '01a1fca3-3336-7723-96f3-a2fb29dd7632', name: 'Gus', email: 'gus@example.com', image: null };
  const gus = await app.db.transaction((tx) => joinTeam(tx, context, account, 'MODERATOR'));
  await app.api.addTeamUser({ emails: ['eve@example.com'], type: 'ADMIN' });
  const invitation = (await teamOf(app)).find((member) => member.isInvitationPending);
  const changed = await app.api.changeTeamUserRole(
    { ssoId: gus.id, role: 'ADMIN' },
    { team: { ssoId: true, role: true } },
  );
  assert.ok(changed.team.some((member) => member.role === 'ADMIN' && member.ssoId === null));
  assert.equal(
    await refusalOf(app.api.changeTeamUserRole({ ssoId: 'mod', ssoType: 'okta', role: 'ADMIN' })),
    'NOT_FOUND: User not found',
  );
  const remove = (ssoId = '') => app.api.removeTeamUser({ ssoId });
  for (const id of ['mod', gus.id, invitation?.id]) assert.equal(await remove(id), true);
  assert.equal(await remove('mod'), false);
  assert.equal((await teamOf(app)).length, 1);
  await assert.rejects(app.api.as('mod').createTag({ name: 'x' }), { code: 'FORBIDDEN' });
});

testBoth('people of another board are not in the team, nor can they be named', async (app) => {
  const other = await app.makeBoard();
  const key = await app.makeKey({}, other);
  await app.makeUser('zoe', undefined, { key });
  const id = (await app.db.read.selectFrom('users').select('id').where('sso_id', '=', 'zoe').executeTakeFirstOrThrow())
    .id;
  assert.equal(await refusalOf(app.api.changeTeamUserRole({ ssoId: id, role: 'ADMIN' })), 'NOT_FOUND: User not found');
  assert.equal(await refusalOf(app.api.removeTeamUser({ ssoId: 'zoe' })), 'NOT_FOUND: User not found');
  assert.equal((await teamOf(app)).length, 1);
});

testBoth('an invitation is valid as long as its sender may grant its role', async (app) => {
  const { db, clock, board } = app;
  const context = { db, clock, baseUrl: 'http://board.test', board };
  await app.makeUser('olga', 'OWNER');
  await app.makeUser('adam', 'ADMIN');
  const linkTo = async (email: string) => {
    const query = db.read.selectFrom('mails').selectAll().where('recipient', '=', email);
    return /\/join\/([\w-]{43})/.exec(textOfMail(await query.executeTakeFirstOrThrow()))?.[1] ?? '';
  };
  const account = (id: string) => ({ id, name: 'Eve', email: `${id}@example.com`, image: null });
  const invite = async (email: string, type: BoardUserType, as: string) => {
    await app.api.as(as).addTeamUser({ emails: [email], type });
    return linkTo(email);
  };
  const [ownerByOlga, adminByOlga, modByAdam] = [
    await invite('one@example.com', 'OWNER', 'olga'),
    await invite('two@example.com', 'ADMIN', 'olga'),
    await invite('three@example.com', 'MODERATOR', 'adam'),
  ];
  await app.api.changeTeamUserRole({ ssoId: 'olga', role: 'ADMIN' });
  await app.api.changeTeamUserRole({ ssoId: 'adam', role: 'MODERATOR' });
  const refused = { code: 'CONFLICT', message: /can no longer grant this role/ };
  for (const token of [ownerByOlga, modByAdam]) {
    await assert.rejects(requireInvitation(db.read, token, clock.now()), refused);
    await assert.rejects(acceptInvitation(context, token, account('x')), refused);
  }
  assert.equal((await acceptInvitation(context, adminByOlga, account('two'))).role, 'ADMIN');
  await app.api.changeTeamUserRole({ ssoId: 'adam', role: 'ADMIN' });
  assert.equal((await acceptInvitation(context, modByAdam, account('three'))).role, 'MODERATOR');
  await app.api.deleteUser({ ssoId: 'olga' });
  await assert.rejects(acceptInvitation(context, ownerByOlga, account('one')), { code: 'NOT_FOUND' });
});
