import { emit } from '../emitting.ts';
import { type Any, type Code, type Doing, type Operation, postFor, textProblems } from '../operation.ts';
import { isTeam, seesEntry } from '../rights.ts';
import { type Entry, labels, type Post, reactions, stored, type World } from '../world.ts';

function entryOf({ world, actor, args }: Omit<Doing, 'answer'>): Entry | undefined {
  const entry = world.find(world.entries, args.id);
  return entry && seesEntry(actor, entry) ? entry : undefined;
}

/** What is wrong with changing an entry, whatever shall become of it. */
function changeProblems(doing: Omit<Doing, 'answer'>): Code[] {
  return [...(isTeam(doing.actor) ? [] : ['FORBIDDEN' as const]), ...(entryOf(doing) ? [] : ['NOT_FOUND' as const])];
}

function contentProblems(doing: Omit<Doing, 'answer'>, before: ReadonlySet<Post>): Code[] {
  const { args, world } = doing;
  const added = ((args.postIds ?? []) as string[]).filter((id) => {
    const post = world.find(world.posts, id);
    return !post || !before.has(post);
  });
  const posts = added.map((id) => postFor(doing, id));
  return [
    ...textProblems(args.title, 1, 200),
    ...textProblems(args.text, 0, 20_000),
    ...(posts.includes(undefined) ? ['NOT_FOUND' as const] : []),
    ...(posts.some((post) => post?.mergedInto) ? ['CONFLICT' as const] : []),
  ];
}

function chooseContent(pick: Parameters<Operation['choose']>[0], share: number) {
  return {
    text: pick.maybe(share, () => pick.text(100)),
    labels: pick.maybe(share, () => labels.filter(() => pick.chance(0.4))),
    postIds: pick.maybe(share, () => Array.from({ length: pick.number(4) }, () => pick.post())),
  };
}

function setContent(world: World, entry: Entry, args: Any): void {
  if (args.title !== undefined) entry.title = stored(args.title);
  if (args.text !== undefined) entry.text = stored(args.text);
  if (args.labels !== undefined) entry.labels = labels.filter((label) => args.labels.includes(label));
  if (args.postIds === undefined) return;
  entry.posts = new Set((args.postIds as string[]).map((id) => world.find(world.posts, id) as Post));
}

const createChangelogEntry: Operation = {
  weight: 3,
  choose: (pick) => ({ title: pick.text(200), ...chooseContent(pick, 0.6) }),
  problems: (doing) => [...(isTeam(doing.actor) ? [] : ['FORBIDDEN' as const]), ...contentProblems(doing, new Set())],
  apply({ world, actor, args, key, answer }) {
    const dates = { scheduled: null, published: null, created: world.now(), updated: world.now() };
    const entry: Entry = {
      key: `entry ${key}`,
      id: answer.id,
      number: ++world.entryNumber,
      title: '',
      text: '',
      labels: [],
      author: actor,
      posts: new Set<Post>(),
      reactions: new Map(),
      ...dates,
    };
    setContent(world, entry, args);
    world.entries.push(entry);
  },
};

const updateChangelogEntry: Operation = {
  weight: 2,
  choose: (pick) => ({ id: pick.entry(), title: pick.maybe(0.4, () => pick.text(200)), ...chooseContent(pick, 0.4) }),
  problems: (doing) => [...changeProblems(doing), ...contentProblems(doing, entryOf(doing)?.posts ?? new Set())],
  apply(doing) {
    const entry = entryOf(doing) as Entry;
    setContent(doing.world, entry, doing.args);
    entry.updated = doing.world.now();
  },
};

const publishChangelogEntry: Operation = {
  weight: 3,
  choose: (pick) => ({ id: pick.entry(), at: pick.maybe(0.2, () => pick.date()) }),
  problems(doing) {
    const { world, args } = doing;
    const isLater = args.at !== undefined;
    const isPast = isLater && world.dateOf(args.at) <= world.now();
    const isOut = isLater && entryOf(doing)?.published != null;
    return [
      ...changeProblems(doing),
      ...(isPast ? ['BAD_REQUEST' as const] : []),
      ...(isOut ? ['CONFLICT' as const] : []),
    ];
  },
  apply(doing) {
    const { world, args } = doing;
    const entry = entryOf(doing) as Entry;
    if (entry.published !== null) return;
    if (args.at !== undefined) {
      entry.scheduled = world.dateOf(args.at);
      entry.updated = world.now();
      return;
    }
    entry.published = world.now();
    entry.scheduled = null;
    emit(doing.world, 'changelog.published', { entry, actor: doing.actor }, entry, doing.actor);
  },
};

const unpublishChangelogEntry: Operation = {
  weight: 1,
  choose: (pick) => ({ id: pick.entry() }),
  problems: changeProblems,
  apply(doing) {
    const entry = entryOf(doing) as Entry;
    const wasOut = entry.published !== null;
    entry.published = null;
    entry.scheduled = null;
    if (wasOut) emit(doing.world, 'changelog.unpublished', { entry, actor: doing.actor }, entry, doing.actor);
  },
};

const deleteChangelogEntry: Operation = {
  weight: 1,
  choose: (pick) => ({ id: pick.entry() }),
  problems: changeProblems,
  apply(doing) {
    const { world } = doing;
    const entry = entryOf(doing) as Entry;
    if (entry.published !== null)
      emit(doing.world, 'changelog.unpublished', { entry, actor: doing.actor }, entry, doing.actor);
    world.entries.splice(world.entries.indexOf(entry), 1);
    for (const event of world.events) if (event.entry === entry) event.data = { entry: { id: entry.id } };
  },
};

function reacting(isSet: boolean): Operation {
  return {
    weight: 2,
    choose: (pick) => ({ id: pick.entry(), reaction: pick.one(reactions) }),
    problems: (doing) => (entryOf(doing) ? [] : ['NOT_FOUND']),
    apply(doing) {
      const entry = entryOf(doing) as Entry;
      const own = entry.reactions.get(doing.actor) ?? new Set();
      if (isSet) own.add(doing.args.reaction);
      else own.delete(doing.args.reaction);
      entry.reactions.set(doing.actor, own);
    },
  };
}

export const changelogOperations = {
  createChangelogEntry,
  updateChangelogEntry,
  publishChangelogEntry,
  unpublishChangelogEntry,
  deleteChangelogEntry,
  addChangelogReaction: reacting(true),
  removeChangelogReaction: reacting(false),
};
