import { type Any, type Code, type Doing, type Operation, textProblems } from '../operation.ts';
import { isAdmin } from '../rights.ts';
import { type Person, roles, type World } from '../world.ts';

const DAY_MS = 86_400_000;
const MAILS_A_DAY = 20;
const isAbove = (a: Person['role'], b: Person['role']) => roles.indexOf(a) > roles.indexOf(b);

/** How long an invitation is valid. */
export const INVITATION_MS = 7 * DAY_MS;

const addTeamUser: Operation = {
  weight: 1,
  choose: (pick) => ({
    emails: Array.from({ length: pick.one([1, 1, 2, 0]) }, () =>
      pick.one(['a@example.com', 'B@example.com', 'no address']),
    ),
    type: pick.one(roles),
  }),
  problems: ({ world, actor, args }) => [
    ...(isAdmin(actor) && !isAbove(args.type, actor.role) ? [] : ['FORBIDDEN' as const]),
    ...(args.type === 'MEMBER' || args.emails.length === 0 ? ['BAD_REQUEST' as const] : []),
    ...(args.emails.includes('no address') ? ['BAD_REQUEST' as const] : []),
    ...(mailed(world, args).some((email) => mailsTo(world, email).used >= MAILS_A_DAY)
      ? ['RATE_LIMIT_EXCEEDED' as const]
      : []),
  ],
  apply({ world, actor, args }) {
    for (const email of mailed(world, args)) {
      const mails = mailsTo(world, email);
      world.invitationMails.set(email, { ...mails, used: mails.used + 1 });
      world.invitations.set(email, { role: args.type, date: world.now(), by: actor });
    }
  },
};

/** The addresses that get a mail: a second click sends none. */
function mailed(world: World, { emails, type }: Any): string[] {
  const addresses = new Set<string>(emails.map((email: string) => email.toLowerCase()));
  return [...addresses].filter((email) => {
    const before = world.invitations.get(email);
    return before === undefined || before.role !== type || before.date <= world.now() - 60_000;
  });
}

function mailsTo(world: World, email: string): { used: number; ends: number } {
  const mails = world.invitationMails.get(email);
  return mails && mails.ends > world.now() ? mails : { used: 0, ends: world.now() + DAY_MS };
}

/** The person whom a change of the team is about; it is not found if the id is unknown. */
function member({ world, args }: Omit<Doing, 'answer'>): Person | undefined {
  return world.people.find(({ ssoId }) => ssoId === args.ssoId);
}

function rankProblems(doing: Omit<Doing, 'answer'>, role: Person['role']): Code[] {
  const { world, actor } = doing;
  const person = member(doing);
  const isRefused = !isAdmin(actor) || isAbove(role, actor.role) || (person && isAbove(person.role, actor.role));
  const owners = world.people.filter((one) => one.role === 'OWNER');
  const isLast = person?.role === 'OWNER' && owners.length === 1 && role !== 'OWNER';
  return [...(isRefused ? ['FORBIDDEN' as const] : []), ...(isLast ? ['CONFLICT' as const] : [])];
}

function setRole(doing: Doing, role: Person['role']): void {
  const person = member(doing) as Person;
  if (person.role !== role) person.updated = doing.world.now();
  person.role = role;
}

const names = ['mod', 'adm', 'mia', 'max', 'ada', 'bot', 'nobody'];

const changeTeamUserRole: Operation = {
  weight: 1,
  choose: (pick) => ({ ssoId: pick.one(names), role: pick.one(roles) }),
  problems: (doing) => [
    ...rankProblems(doing, doing.args.role),
    ...(member(doing) ? [] : ['NOT_FOUND' as const]),
    ...textProblems(doing.args.ssoId, 1, 255),
  ],
  apply(doing) {
    setRole(doing, doing.args.role);
  },
};

const removeTeamUser: Operation = {
  weight: 1,
  choose: (pick) => ({ ssoId: pick.one(names) }),
  problems: (doing) => [...rankProblems(doing, 'MEMBER'), ...(member(doing) ? [] : ['NOT_FOUND' as const])],
  apply(doing) {
    setRole(doing, 'MEMBER');
  },
  answers: (doing) => member(doing)?.role !== 'MEMBER',
};

export const teamOperations = { addTeamUser, changeTeamUserRole, removeTeamUser };
