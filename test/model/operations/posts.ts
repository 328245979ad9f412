import { attributeNames, chooseAttributes, initialAttributes, setAttributes } from '../attributes.ts';
import { emitPost, emitStatus, emitTags, emitWholePost } from '../emitting.ts';
import {
  actingProblems,
  addComment,
  type Doing,
  dateProblems,
  type Operation,
  personFor,
  postFor,
  textProblems,
} from '../operation.ts';
import { fillIn, propertyProblems } from '../properties.ts';
import { isOwn, isTeam, mightSeePost, seesPost } from '../rights.ts';
import { type Post, stored, type Tag, type World } from '../world.ts';

const DAY_MS = 86_400_000;

function tagsFor({ world, actor }: Pick<Doing, 'world' | 'actor'>, references: unknown[]): Tag[] | null {
  const tags = [...new Set(references)].map((reference) => world.find(world.tags, reference));
  return tags.every((tag) => tag !== undefined && (!tag.isPrivate || isTeam(actor))) ? (tags as Tag[]) : null;
}

const createPost: Operation = {
  weight: 8,
  choose: (pick) => {
    const title = pick.text(200);
    if (pick.chance(0.15)) return { title, externalId: pick.one(['x-1', 'x-2', 'x-3', 'x-4']) };
    return {
      title,
      comment: pick.maybe(0.7, () => pick.text(20_000)),
      tagIds: pick.maybe(0.2, () => [pick.tag(), pick.tag()]),
      statusId: pick.maybe(0.1, () => pick.status()),
      author: pick.maybe(0.1, () => pick.person()),
      dateCreated: pick.maybe(0.1, () => pick.date()),
      properties: pick.properties(0.2),
    };
  },
  problems(doing) {
    const { world, actor, args } = doing;
    const status = world.find(world.statuses, args.statusId);
    const existing = world.posts.find((post) => post.externalId !== null && post.externalId === args.externalId);
    return [
      ...textProblems(args.title, 1, 200),
      ...textProblems(args.comment, 1, 20_000),
      ...actingProblems(doing, args.author),
      ...dateProblems(doing, args.dateCreated),
      ...(args.statusId === undefined || isTeam(actor) ? [] : ['FORBIDDEN' as const]),
      ...(args.statusId === undefined || status ? [] : ['NOT_FOUND' as const]),
      ...(status?.type === 'MERGED' ? ['BAD_REQUEST' as const] : []),
      ...(args.tagIds === undefined || tagsFor(doing, args.tagIds) ? [] : ['NOT_FOUND' as const]),
      ...(existing ? [] : propertyProblems(world, actor, args.properties, args.dateCreated === undefined)),
      ...(existing && !seesPost(actor, existing) ? ['CONFLICT' as const] : []),
    ];
  },
  apply(doing) {
    const { world, actor, args, key, answer } = doing;
    if (world.posts.some(({ id }) => id === answer.id)) return; // the one that has the external id
    const author = personFor(doing, args.author);
    const created = world.dateOf(args.dateCreated);
    const status = world.find(world.statuses, args.statusId) ?? world.statusOf('UNASSIGNED');
    const post: Post = {
      key: `post ${key}`,
      id: answer.id,
      number: ++world.postNumber,
      title: stored(args.title),
      author,
      status,
      tags: new Set(tagsFor(doing, args.tagIds ?? [])),
      values: new Map(),
      ...initialAttributes(),
      moderation: 'APPROVED',
      moderator: null,
      created,
      updated: world.now(),
      completed: status.type === 'COMPLETED' ? created : null,
      deleted: null,
      deletedBy: null,
      externalId: args.externalId ?? null,
      votes: new Map(),
      followers: new Map([[author, { ways: new Set(['wrote']), from: null, isEnded: false }]]),
      assignees: new Map(),
      mergedInto: null,
      statusBefore: null,
      isAnnounced: true,
    };
    world.posts.push(post);
    fillIn(world, post, args.properties);
    if (args.comment !== undefined) describe(world, post, stored(args.comment), key);
    emitWholePost(world, post, 'post.created', actor, author);
  },
};

/** Writes the first description of a post, which is its author's, even if another user writes it. */
function describe(world: World, post: Post, text: string, key: string): void {
  const { author, created } = post;
  addComment(world, { key: `comment ${key}`, post, type: 'BASIC', author, text, created, isFirst: true });
}

const updatePost: Operation = {
  weight: 7,
  choose: (pick) => ({
    id: pick.post(),
    title: pick.maybe(0.4, () => pick.text(200)),
    comment: pick.maybe(0.3, () => pick.text(20_000)),
    ...chooseAttributes(pick),
    properties: pick.maybe(0.3, () => pick.properties(0.3)),
    tagIds: pick.maybe(0.3, () => Array.from({ length: pick.number(4) }, () => pick.tag())),
  }),
  problems(doing) {
    const { world, actor, args } = doing;
    const post = postFor(doing, args.id);
    const asAuthor = [args.title, args.comment, args.properties].some((value) => value !== undefined);
    const asTeam = [...attributeNames, 'tagIds'].some((name) => args[name] !== undefined);
    const isRefused = (asAuthor && !isTeam(actor) && !isOwn(actor, post?.author ?? null)) || (asTeam && !isTeam(actor));
    return [
      ...textProblems(args.title, 1, 200),
      ...textProblems(args.comment, 1, 20_000),
      ...(post ? [] : ['NOT_FOUND' as const]),
      ...(post && isRefused ? ['FORBIDDEN' as const] : []),
      ...propertyProblems(world, actor, args.properties, false),
      ...(post && args.tagIds && !tagsFor(doing, args.tagIds) ? ['NOT_FOUND' as const] : []),
    ];
  },
  apply(doing) {
    const { world, actor, args, key } = doing;
    const post = postFor(doing, args.id) as Post;
    const { id: _, ...changes } = args;
    if (Object.values(changes).every((value) => value === undefined)) return;
    post.updated = world.now();
    if (args.title !== undefined && stored(args.title) !== post.title) {
      post.title = stored(args.title);
      const title = { key: `comment ${key} title`, post, type: 'TITLE_CHANGE', author: actor } as const;
      if (seesPost(null, post)) addComment(world, title);
    }
    if (args.comment !== undefined) {
      const description = world.descriptionOf(post);
      if (description)
        Object.assign(description, { text: stored(args.comment), updated: world.now(), changed: world.now() });
      else describe(world, post, stored(args.comment), key);
    }
    fillIn(world, post, args.properties);
    setAttributes(post, args);
    if (args.tagIds) {
      const before = post.tags;
      post.tags = new Set(tagsFor(doing, args.tagIds));
      emitTags(world, post, before, actor);
    }
  },
};

const changePostStatus: Operation = {
  weight: 5,
  choose: (pick) => {
    const statusType = pick.one([
      'CUSTOM',
      'CUSTOM',
      'CUSTOM',
      'ARCHIVED',
      'COMPLETED',
      'COMPLETED',
      'UNASSIGNED',
      'MERGED',
    ]);
    return {
      postId: pick.post(),
      statusType,
      statusId: pick.chance(0.05) !== (statusType === 'CUSTOM') ? pick.status() : undefined,
      comment: pick.maybe(0.3, () => pick.text(20_000)),
    };
  },
  problems(doing) {
    const { world, actor, args } = doing;
    const post = postFor(doing, args.postId);
    const status = world.find(world.statuses, args.statusId);
    const isCustom = args.statusType === 'CUSTOM';
    const isMoved = isCustom ? post?.status !== status : post?.status.type !== args.statusType;
    return [
      ...(isTeam(actor) ? [] : ['FORBIDDEN' as const]),
      ...(args.statusType === 'MERGED' ? ['BAD_REQUEST' as const] : []),
      ...textProblems(args.comment, 1, 20_000),
      ...(post ? [] : ['NOT_FOUND' as const]),
      ...(isCustom === (args.statusId !== undefined) ? [] : ['BAD_REQUEST' as const]),
      ...(isCustom && args.statusId !== undefined && status?.type !== 'CUSTOM' ? ['NOT_FOUND' as const] : []),
      ...(post?.mergedInto && isMoved ? ['CONFLICT' as const] : []),
    ];
  },
  apply(doing) {
    const { world, actor, args, key } = doing;
    const post = postFor(doing, args.postId) as Post;
    const status = world.find(world.statuses, args.statusId) ?? world.statusOf(args.statusType);
    if (post.status === status) return;
    const previous = post.status;
    post.status = status;
    post.completed = status.type === 'COMPLETED' ? world.now() : null;
    post.updated = world.now();
    const text = args.comment === undefined ? null : stored(args.comment);
    addComment(world, { key: `comment ${key} status`, post, type: 'STATUS_CHANGE', author: actor, text });
    emitStatus(world, post, previous, actor);
  },
};

const changePostModerationStatus: Operation = {
  weight: 4,
  choose: (pick) => ({
    id: pick.post(),
    moderationStatus: pick.one(['APPROVED', 'APPROVED', 'FLAGGED', 'PENDING', 'REJECTED']),
  }),
  problems: (doing) => [
    ...(isTeam(doing.actor) ? [] : ['FORBIDDEN' as const]),
    ...(postFor(doing, doing.args.id) ? [] : ['NOT_FOUND' as const]),
  ],
  apply(doing) {
    const { world, actor, args } = doing;
    const post = postFor(doing, args.id) as Post;
    if (post.moderation === args.moderationStatus) return;
    post.moderation = args.moderationStatus;
    post.moderator = actor;
    post.updated = world.now();
    emitPost(world, post, actor);
  },
};

const deletePost: Operation = {
  weight: 3,
  choose: (pick) => ({ postId: pick.post() }),
  problems(doing) {
    const post = postFor(doing, doing.args.postId);
    if (!post) return ['NOT_FOUND'];
    const mayDelete = isTeam(doing.actor) || isOwn(doing.actor, post.author);
    return [...(mayDelete ? [] : ['FORBIDDEN' as const]), ...(post.mergedInto ? ['CONFLICT' as const] : [])];
  },
  apply(doing) {
    const post = postFor(doing, doing.args.postId) as Post;
    post.deleted = doing.world.now();
    post.deletedBy = doing.actor;
    emitPost(doing.world, post, doing.actor);
  },
};

const restorePost: Operation = {
  weight: 3,
  choose: (pick) => ({ id: pick.post() }),
  problems({ world, actor, args }) {
    const post = world.find(world.posts, args.id);
    const isGone = post?.deleted != null && post.deleted <= world.now() - 30 * DAY_MS;
    if (!post || isGone || !mightSeePost(actor, post)) return ['NOT_FOUND'];
    const mayUndo = isOwn(actor, post.author) && (post.deleted === null || post.deletedBy === actor);
    return isTeam(actor) || mayUndo ? [] : ['FORBIDDEN'];
  },
  apply({ world, actor, args }) {
    const post = world.find(world.posts, args.id) as Post;
    if (post.deleted === null) return;
    post.deleted = null;
    post.deletedBy = null;
    post.updated = world.now();
    emitPost(world, post, actor);
  },
};

export const postOperations = {
  createPost,
  updatePost,
  changePostStatus,
  changePostModerationStatus,
  deletePost,
  restorePost,
};
