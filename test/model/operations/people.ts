import { type Operation, textProblems } from '../operation.ts';
import { actsForOthers, isNotBelow } from '../rights.ts';
import { stored } from '../world.ts';

const createUser: Operation = {
  weight: 2,
  isForAnybody: true,
  choose: (pick) => ({
    ssotype: pick.chance(0.03) ? undefined : 'SSO',
    userId: pick.one(['mia', 'max', 'eve', 'dan', 'uwe', 'größe']),
    name: pick.maybe(0.5, () => pick.text(100)),
    email: pick.maybe(0.3, () => pick.one(['a@example.com', 'B@example.com', 'no address'])),
    isApiUser: pick.maybe(0.05, () => pick.chance(0.5)),
  }),
  problems: ({ args }) => [
    ...(args.ssotype === undefined ? ['BAD_REQUEST' as const] : []),
    ...textProblems(args.name, 1, 100),
    ...(args.email === 'no address' ? ['BAD_REQUEST' as const] : []),
  ],
  apply({ world, args, key, answer }) {
    const existing = world.people.find(({ ssoId }) => ssoId === args.userId);
    const told = {
      ...(args.name !== undefined && { name: stored(args.name) }),
      ...(args.email !== undefined && { email: args.email.toLowerCase() }),
      ...(args.isApiUser !== undefined && { isApiUser: args.isApiUser }),
    };
    if (existing) Object.assign(existing, told, { updated: world.now() });
    else {
      const fresh = { name: null, email: null, role: 'MEMBER' as const, isApiUser: false, updated: world.now() };
      world.people.push({ key: `person ${key}`, id: answer.id, ssoId: args.userId, ...fresh, ...told });
    }
  },
};

const updateUser: Operation = {
  weight: 2,
  choose: (pick) => ({
    ssoId: pick.one(['mia', 'max', 'mod', 'ada', 'bot', 'eve', 'nobody']),
    name: pick.maybe(0.5, () => pick.text(100)),
    email: pick.maybe(0.3, () => pick.one(['c@example.com', null, 'no address'])),
  }),
  problems({ world, actor, args }) {
    const person = world.people.find(({ ssoId }) => ssoId === args.ssoId);
    return [
      ...(person ? [] : ['NOT_FOUND' as const]),
      ...(person && person !== actor && !(actsForOthers(actor) && isNotBelow(actor, person))
        ? ['FORBIDDEN' as const]
        : []),
      ...textProblems(args.name, 1, 100),
      ...(args.email === 'no address' ? ['BAD_REQUEST' as const] : []),
    ];
  },
  apply({ world, args }) {
    const person = world.people.find(({ ssoId }) => ssoId === args.ssoId);
    if (!person || (args.name === undefined && args.email === undefined)) return;
    person.name = args.name === undefined ? person.name : stored(args.name);
    person.email = args.email === undefined ? person.email : args.email;
    person.updated = world.now();
  },
};

export const peopleOperations = { createUser, updateUser };
