import { emitComments, emitStatus } from '../emitting.ts';
import { addComment, type Code, type Doing, type Operation } from '../operation.ts';
import { isHeld, isTeam, rootOf, seesStatus } from '../rights.ts';
import type { Person, Post, World } from '../world.ts';

const mergePosts: Operation = {
  weight: 5,
  choose: (pick) => ({
    sourceIds: Array.from({ length: pick.one([1, 1, 1, 2, 3, 0]) }, pick.post),
    targetId: pick.post(),
  }),
  problems(doing) {
    const { world, actor, args } = doing;
    const target = world.find(world.posts, args.targetId);
    return [
      ...(isTeam(actor) ? [] : ['FORBIDDEN' as const]),
      ...(args.sourceIds.length > 0 ? [] : ['BAD_REQUEST' as const]),
      ...(args.sourceIds.includes(args.targetId) ? ['CONFLICT' as const] : []),
      ...[...args.sourceIds, args.targetId].flatMap((id) => mergeProblems(doing, id)),
      ...(target?.isLocked ? ['CONFLICT' as const] : []),
    ];
  },
  apply({ world, actor, args, key }) {
    const target = world.find(world.posts, args.targetId) as Post;
    const sources = [...new Set(args.sourceIds)].map((id) => world.find(world.posts, id) as Post);
    const before = sources.map(({ status }) => status);
    for (const source of sources) merge(world, source, target, actor, key);
    target.updated = world.now();
    for (const [n, source] of sources.entries()) emitStatus(world, source, before[n] ?? source.status, actor);
  },
};

function mergeProblems({ world, actor }: Omit<Doing, 'answer'>, reference: unknown): Code[] {
  const post = world.find(world.posts, reference);
  if (!post || !seesStatus(actor, post.status)) return ['NOT_FOUND'];
  return post.deleted !== null || post.mergedInto || isHeld(post) ? ['CONFLICT'] : [];
}

function merge(world: World, source: Post, target: Post, actor: Person, key: string): void {
  for (const [person, vote] of source.votes) {
    if (!target.votes.has(person)) target.votes.set(person, { ...vote, from: source });
  }
  for (const [person, following] of source.followers) {
    if (!target.followers.has(person)) target.followers.set(person, { ...following, from: source });
  }
  for (const comment of world.comments) {
    if (comment.post !== source || comment.isFirst) continue;
    comment.origin ??= source;
    comment.post = target;
    comment.changed = world.now();
  }
  source.mergedInto = target;
  source.statusBefore = source.status;
  source.status = world.statusOf('MERGED');
  source.updated = world.now();
  const told = { author: actor, key: `comment ${key} ${source.key}` };
  addComment(world, { ...told, key: `${told.key} went`, post: source, about: target, type: 'MERGE_SOURCE' });
  addComment(world, { ...told, key: `${told.key} came`, post: target, about: source, type: 'MERGE_TARGET' });
}

const unmergePost: Operation = {
  weight: 5,
  choose: (pick) => ({ id: pick.post() }),
  problems({ world, actor, args }) {
    const post = world.find(world.posts, args.id);
    const isThere = post && post.deleted === null && seesStatus(actor, post.status);
    return [
      ...(isTeam(actor) ? [] : ['FORBIDDEN' as const]),
      ...(isThere ? [] : ['NOT_FOUND' as const]),
      ...(isThere && !post.mergedInto ? ['CONFLICT' as const] : []),
    ];
  },
  apply({ world, actor, args }) {
    const post = world.find(world.posts, args.id) as Post;
    const merged = post.status;
    const root = rootOf(post) as Post;
    const parents = chainOf(post);
    const branch = world.posts.filter((other) => other === post || chainOf(other).includes(post));
    post.status = post.statusBefore ?? world.statusOf('UNASSIGNED');
    post.mergedInto = null;
    post.updated = world.now();
    root.updated = world.now();
    for (const [n, parent] of parents.entries()) renewCopies(world, parents[n - 1] ?? post, parent);
    dropComments(world, (comment) => comment.type === 'MERGE_SOURCE' && comment.post === post);
    dropComments(world, ({ type, post: on, about }) => type === 'MERGE_TARGET' && on === root && about === post);
    for (const comment of world.comments) {
      if (comment.post !== root || !comment.origin || !branch.includes(comment.origin)) continue;
      comment.post = post;
      comment.changed = world.now();
      if (comment.origin === post) comment.origin = null;
    }
    emitStatus(world, post, merged, actor);
    if (post.isAnnounced) emitComments(world, post, actor);
  },
};

/** The posts that one is merged into, one after the other. */
function chainOf(post: Post): Post[] {
  return post.mergedInto ? [post.mergedInto, ...chainOf(post.mergedInto)] : [];
}

/** What a post has of `child` it has now of another post that is merged into it, or no more. */
function renewCopies(world: World, child: Post, parent: Post): void {
  const siblings = world.posts.filter((post) => post.mergedInto === parent);
  const others = [...siblings.filter((post) => post === child), ...siblings.toSorted((a, b) => (a.id < b.id ? -1 : 1))];
  for (const [person, vote] of parent.votes) {
    if (vote.from !== child) continue;
    const from = others.find((post) => post.votes.has(person));
    const other = from?.votes.get(person);
    if (from && other) parent.votes.set(person, { ...other, from });
    else parent.votes.delete(person);
  }
  for (const [person, following] of parent.followers) {
    if (following.from !== child) continue;
    const from = others.find((post) => post.followers.has(person));
    const other = from?.followers.get(person);
    if (from && other) parent.followers.set(person, { ...other, from });
    else parent.followers.delete(person);
  }
}

function dropComments(world: World, isDropped: (comment: World['comments'][number]) => boolean): void {
  const kept = world.comments.filter((comment) => !isDropped(comment));
  for (const comment of world.comments) if (isDropped(comment)) comment.deleted = true; // replies to it stay
  world.comments.splice(0, world.comments.length, ...kept);
}

export const mergeOperations = { mergePosts, unmergePost };
