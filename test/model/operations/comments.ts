import { emitComment } from '../emitting.ts';
import {
  actingProblems,
  addComment,
  type Code,
  commentFor,
  type Doing,
  dateProblems,
  type Operation,
  personFor,
  postFor,
  textProblems,
} from '../operation.ts';
import { isOwn, isTeam } from '../rights.ts';
import { type Comment, commentReactions, follow, type Post, stored, type World } from '../world.ts';

/** What is wrong with doing something to a post that locked and merged ones do not take. */
export function openProblems(post: Post | undefined): Code[] {
  if (!post) return ['NOT_FOUND'];
  return post.isLocked || post.mergedInto ? ['CONFLICT'] : [];
}

const createComment: Operation = {
  weight: 12,
  choose: (pick) => ({
    postId: pick.post(),
    text: pick.text(20_000),
    parentId: pick.maybe(0.35, () => pick.comment()),
    type: pick.maybe(0.3, () => pick.one(['BASIC', 'INTERNAL', 'INTERNAL', 'OFFICIAL', 'MERGE_SOURCE'])),
    author: pick.maybe(0.1, () => pick.person()),
    dateCreated: pick.maybe(0.05, () => pick.date()),
    notifyOP: pick.maybe(0.05, () => true),
  }),
  problems(doing) {
    const { world, actor, args } = doing;
    const post = postFor(doing, args.postId);
    const parent = commentFor(doing, args.parentId);
    return [
      ...textProblems(args.text, 1, 20_000),
      ...actingProblems(doing, args.author),
      ...dateProblems(doing, args.dateCreated),
      ...(args.type === 'MERGE_SOURCE' ? ['BAD_REQUEST' as const] : []),
      ...(['INTERNAL', 'OFFICIAL'].includes(args.type) && !isTeam(actor) ? ['FORBIDDEN' as const] : []),
      ...openProblems(post),
      ...(args.parentId !== undefined && !parent ? ['NOT_FOUND' as const] : []),
      ...(parent && parent.post !== post ? ['BAD_REQUEST' as const] : []),
      ...(topOf(world, parent)?.type === 'INTERNAL' && (args.type ?? 'INTERNAL') !== 'INTERNAL'
        ? ['BAD_REQUEST' as const]
        : []),
    ];
  },
  apply(doing) {
    const { world, actor, args, key, answer } = doing;
    const post = postFor(doing, args.postId) as Post;
    const parent = topOf(world, commentFor(doing, args.parentId)) ?? null;
    const author = personFor(doing, args.author);
    const comment = addComment(world, {
      key: `comment ${key}`,
      id: answer.id,
      post,
      type: args.type ?? (parent?.type === 'INTERNAL' ? 'INTERNAL' : 'BASIC'),
      author,
      text: stored(args.text),
      parent,
      origin: parent?.origin ?? null, // a reply goes where the comment goes that it replies to
      created: world.dateOf(args.dateCreated),
    });
    post.updated = world.now();
    follow(post, author, 'commented');
    emitComment(world, comment, actor, author);
  },
};

/**
 * The comment that a reply to this one belongs to; nothing for the description of a post. Where the one at the top is
 * gone permanently, as what told of a merge is, the replies to it stay together all the same.
 */
function topOf(world: World, comment: Comment | undefined): Comment | undefined {
  if (comment?.isFirst) return undefined;
  return comment?.parent && world.comments.includes(comment.parent) ? comment.parent : comment;
}

const isService = ({ type }: Comment) => !['BASIC', 'INTERNAL', 'OFFICIAL'].includes(type);

function changeProblems(doing: Omit<Doing, 'answer'>, isImpossible: (comment: Comment) => boolean): Code[] {
  const comment = commentFor(doing, doing.args.id);
  if (!comment) return ['NOT_FOUND'];
  const mayChange = isTeam(doing.actor) || isOwn(doing.actor, comment.author);
  return [...(mayChange ? [] : ['FORBIDDEN' as const]), ...(isImpossible(comment) ? ['CONFLICT' as const] : [])];
}

const updateComment: Operation = {
  weight: 4,
  choose: (pick) => ({ id: pick.comment(), text: pick.text(20_000) }),
  problems: (doing) => [...textProblems(doing.args.text, 1, 20_000), ...changeProblems(doing, isService)],
  apply(doing) {
    const comment = commentFor(doing, doing.args.id) as Comment;
    comment.text = stored(doing.args.text);
    comment.updated = doing.world.now();
    comment.changed = doing.world.now();
    comment.post.updated = doing.world.now();
  },
};

const deleteComment: Operation = {
  weight: 4,
  choose: (pick) => ({ id: pick.comment() }),
  problems: (doing) => changeProblems(doing, (comment) => comment.isFirst),
  apply(doing) {
    const comment = commentFor(doing, doing.args.id) as Comment;
    comment.deleted = true;
    emitComment(doing.world, comment, doing.actor, doing.actor);
  },
};

const changeCommentModerationStatus: Operation = {
  weight: 4,
  choose: (pick) => ({
    id: pick.comment(),
    moderationStatus: pick.one(['APPROVED', 'APPROVED', 'FLAGGED', 'PENDING', 'REJECTED']),
  }),
  problems(doing) {
    const comment = commentFor(doing, doing.args.id);
    return [
      ...(isTeam(doing.actor) ? [] : ['FORBIDDEN' as const]),
      ...(comment ? [] : ['NOT_FOUND' as const]),
      ...(comment?.isFirst ? ['CONFLICT' as const] : []),
    ];
  },
  apply(doing) {
    const { world, actor, args } = doing;
    const comment = commentFor(doing, args.id) as Comment;
    if (comment.moderation === args.moderationStatus) return;
    comment.moderation = args.moderationStatus;
    comment.moderator = actor;
    comment.changed = world.now();
    emitComment(world, comment, actor, comment.isAnnounced ? actor : comment.author);
  },
};

function reacting(isSet: boolean): Operation {
  return {
    weight: 2,
    choose: (pick) => ({ id: pick.comment(), reaction: pick.one(commentReactions) }),
    problems(doing) {
      const comment = commentFor(doing, doing.args.id);
      if (!comment) return ['NOT_FOUND'];
      return comment.isFirst || isService(comment) ? ['CONFLICT'] : openProblems(comment.post);
    },
    apply(doing) {
      const { reactions } = commentFor(doing, doing.args.id) as Comment;
      const own = reactions.get(doing.actor) ?? new Set();
      if (isSet) own.add(doing.args.reaction);
      else own.delete(doing.args.reaction);
      reactions.set(doing.actor, own);
    },
  };
}

export const commentOperations = {
  createComment,
  updateComment,
  deleteComment,
  changeCommentModerationStatus,
  addCommentReaction: reacting(true),
  removeCommentReaction: reacting(false),
};
