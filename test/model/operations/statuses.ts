import { emitStatus } from '../emitting.ts';
import { addComment, type Code, type Doing, type Operation, textProblems } from '../operation.ts';
import { isAdmin } from '../rights.ts';
import { type Status, stored } from '../world.ts';

const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const names = ['Planned', 'planned', 'Open', 'Später', '进行中', 'Beta', 'Review'];
const colors = ['#fff', '#12AB34', '#0a0a0a', 'red'];

function problemsOf({ world, actor, args }: Omit<Doing, 'answer'>, own?: Status): Code[] {
  const folded = args.name === undefined ? null : stored(args.name).toLowerCase();
  const isTaken = world.statuses.some((status) => status !== own && status.name.toLowerCase() === folded);
  return [
    ...(isAdmin(actor) ? [] : ['FORBIDDEN' as const]),
    ...(args.color === undefined || COLOR.test(args.color) ? [] : ['BAD_REQUEST' as const]),
    ...textProblems(args.name, 1, 50),
    ...(isTaken ? ['CONFLICT' as const] : []),
  ];
}

function statusFor({ world, args }: Pick<Doing, 'world' | 'args'>): Status | undefined {
  return world.find(world.statuses, args.id);
}

const createStatus: Operation = {
  weight: 1,
  choose: (pick) => ({
    name: pick.chance(0.5) ? pick.one(names) : pick.text(50),
    color: pick.one(colors),
    isOnRoadmap: pick.maybe(0.3, () => pick.chance(0.5)),
  }),
  problems: (doing) => problemsOf(doing),
  apply({ world, args, key, answer }) {
    const fresh = { type: 'CUSTOM' as const, postVisibility: 'PUBLIC' as const, isOnRoadmap: args.isOnRoadmap ?? true };
    const status = { key: `status ${key}`, id: answer.id, name: stored(args.name), color: args.color, ...fresh };
    const last = world.statuses.findLastIndex(({ type }) => type === 'CUSTOM' || type === 'UNASSIGNED');
    world.statuses.splice(last + 1, 0, status);
  },
};

const updateStatus: Operation = {
  weight: 2,
  choose: (pick) => ({
    id: pick.status(),
    name: pick.maybe(0.3, () => pick.one(names)),
    color: pick.maybe(0.3, () => pick.one(colors)),
    postVisibility: pick.maybe(0.6, () => pick.one(['PUBLIC', 'PUBLIC', 'PUBLIC', 'TEAM', 'HIDDEN'])),
    isOnRoadmap: pick.maybe(0.4, () => pick.chance(0.5)),
  }),
  problems(doing) {
    const status = statusFor(doing);
    return [
      ...problemsOf(doing, status),
      ...(status ? [] : ['NOT_FOUND' as const]),
      ...(doing.args.isOnRoadmap && status?.type === 'MERGED' ? ['BAD_REQUEST' as const] : []),
    ];
  },
  apply(doing) {
    const { name, color, postVisibility, isOnRoadmap } = doing.args;
    Object.assign(statusFor(doing) as Status, {
      ...(name !== undefined && { name: stored(name) }),
      ...(color !== undefined && { color }),
      ...(postVisibility !== undefined && { postVisibility }),
      ...(isOnRoadmap !== undefined && { isOnRoadmap }),
    });
  },
};

const deleteStatus: Operation = {
  weight: 1,
  choose: (pick) => ({ id: pick.status() }),
  problems(doing) {
    const status = statusFor(doing);
    return [
      ...(isAdmin(doing.actor) ? [] : ['FORBIDDEN' as const]),
      ...(status ? [] : ['NOT_FOUND' as const]),
      ...(status && status.type !== 'CUSTOM' ? ['CONFLICT' as const] : []),
    ];
  },
  apply(doing) {
    const { world, actor, key } = doing;
    const status = statusFor(doing) as Status;
    const unassigned = world.statusOf('UNASSIGNED');
    for (const post of world.posts.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      if (post.statusBefore === status) post.statusBefore = unassigned;
      if (post.status !== status) continue;
      post.status = unassigned;
      if (post.deleted !== null) continue;
      post.updated = world.now();
      post.completed = null;
      addComment(world, { key: `comment ${key} ${post.key}`, post, type: 'STATUS_CHANGE', author: actor });
      emitStatus(world, post, status, actor);
    }
    world.statuses.splice(world.statuses.indexOf(status), 1);
  },
};

const rearrangeStatuses: Operation = {
  weight: 1,
  choose: (pick) => ({ ids: Array.from({ length: pick.number(4) }, () => pick.status()) }),
  problems: ({ world, actor, args }) => [
    ...(isAdmin(actor) ? [] : ['FORBIDDEN' as const]),
    ...(new Set(args.ids).size === args.ids.length ? [] : ['BAD_REQUEST' as const]),
    ...(args.ids.every((id: string) => world.find(world.statuses, id)) ? [] : ['NOT_FOUND' as const]),
  ],
  apply({ world, args }) {
    const named: Status[] = args.ids.map((id: string) => world.find(world.statuses, id));
    const next = named.values();
    const order = world.statuses.map((status) => (named.includes(status) ? (next.next().value ?? status) : status));
    world.statuses.splice(0, order.length, ...order);
  },
  answers: () => true,
};

export const statusOperations = { createStatus, updateStatus, deleteStatus, rearrangeStatuses };
