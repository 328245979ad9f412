import { type Any, type Code, type Doing, type Operation, textProblems } from '../operation.ts';
import { isTeam } from '../rights.ts';
import { stored, type Tag } from '../world.ts';

const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const names = ['Bug', 'Idee', '界面', 'Later', 'bug', 'LATER', 'Mobile', 'Größe'];
const colors = ['#fff', '#12AB34', '#12', 'red'];

function nameProblems({ world, args }: Omit<Doing, 'answer'>, own: Tag | undefined): Code[] {
  if (args.name === undefined) return [];
  const folded = stored(args.name).toLowerCase();
  const isTaken = world.tags.some((tag) => tag !== own && tag.name.toLowerCase() === folded);
  return [...textProblems(args.name, 1, 50), ...(isTaken ? ['CONFLICT' as const] : [])];
}

function commonProblems({ actor, args }: { actor: Doing['actor']; args: Any }): Code[] {
  const isColor = args.color == null || COLOR.test(args.color);
  return [...(isTeam(actor) ? [] : ['FORBIDDEN' as const]), ...(isColor ? [] : ['BAD_REQUEST' as const])];
}

const createTag: Operation = {
  weight: 2,
  choose: (pick) => ({
    name: pick.chance(0.5) ? pick.one(names) : pick.text(50),
    color: pick.maybe(0.3, () => pick.one(colors)),
    isPrivate: pick.maybe(0.4, () => pick.chance(0.5)),
  }),
  problems: (doing) => [...commonProblems(doing), ...nameProblems(doing, undefined)],
  apply({ world, args, key, answer }) {
    const { color = null, isPrivate = false } = args;
    world.tags.push({ key: `tag ${key}`, id: answer.id, name: stored(args.name), color, isPrivate });
  },
};

const updateTag: Operation = {
  weight: 2,
  choose: (pick) => ({
    id: pick.tag(),
    name: pick.maybe(0.4, () => pick.one(names)),
    color: pick.maybe(0.3, () => pick.one([null, ...colors])),
    isPrivate: pick.maybe(0.4, () => pick.chance(0.5)),
  }),
  problems(doing) {
    const tag = doing.world.find(doing.world.tags, doing.args.id);
    return [...commonProblems(doing), ...nameProblems(doing, tag), ...(tag ? [] : ['NOT_FOUND' as const])];
  },
  apply({ world, args }) {
    const tag = world.find(world.tags, args.id) as Tag;
    if (args.name !== undefined) tag.name = stored(args.name);
    if (args.color !== undefined) tag.color = args.color;
    tag.isPrivate = args.isPrivate ?? tag.isPrivate;
  },
};

const deleteTag: Operation = {
  weight: 1,
  choose: (pick) => ({ id: pick.tag() }),
  problems: (doing) => [
    ...commonProblems(doing),
    ...(doing.world.find(doing.world.tags, doing.args.id) ? [] : ['NOT_FOUND' as const]),
  ],
  apply({ world, args }) {
    const tag = world.find(world.tags, args.id) as Tag;
    world.tags.splice(world.tags.indexOf(tag), 1);
    for (const post of world.posts) post.tags.delete(tag);
  },
};

export const tagOperations = { createTag, updateTag, deleteTag };
