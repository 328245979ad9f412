import { type Operation, textProblems } from '../operation.ts';
import { stored } from '../world.ts';

const createUser: Operation = {
  weight: 2,
  isForAnybody: true,
  selection: 'id ssoId name isAPIUser role',
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
    if (existing) Object.assign(existing, told);
    else {
      const fresh = { name: null, email: null, role: 'MEMBER' as const, isApiUser: false };
      world.people.push({ key: `person ${key}`, id: answer.id, ssoId: args.userId, ...fresh, ...told });
    }
  },
};

export const peopleOperations = { createUser };
