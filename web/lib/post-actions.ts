import type { PostRow } from '../../src/feedback/posts/posts.ts';
import type { ModerationStatus } from '../../src/feedback/visibility/posts.ts';
import type { ActorContext } from '../../src/identity/users/request-context.ts';
import type { Features } from '../../src/pages/features.ts';
import type { Visit } from '../../src/pages/visit.ts';
import type { Done } from '../ui/toast.tsx';

type Form = Record<string, string>;
type Doing = { visit: Visit; features: Features; context: ActorContext; post: PostRow; form: Form };

/** What was done, and where on the page to see it. */
export type Result = { done: Done; anchor?: string };

/** What the forms of a post ask for beside comments, by their intent. Whether somebody may is decided by the features. */
const actions: Record<string, (doing: Doing) => Promise<Result>> = {
  async follow({ features, context, post }) {
    await features.setSubscription(context, post.id, true, null);
    return { done: 'followed' };
  },
  async unfollow({ features, context, post }) {
    await features.setSubscription(context, post.id, false, null);
    return { done: 'unfollowed' };
  },
  async edit({ visit, features, context, post, form }) {
    const isRenamed = form.title?.trim() !== post.title;
    if (isRenamed && context.actor.role === 'MEMBER') {
      await features.countAttempt(visit.db, visit.clock, 'titles of', context.actor.id);
    }
    const comment = form.comment?.trim() ? form.comment : null;
    await features.updatePost(context, post.id, { title: form.title ?? '', comment });
    return { done: 'saved' };
  },
  async 'edit-comment'({ features, context, form }) {
    const { id } = await features.updateComment(context, form.id ?? '', form.text ?? '');
    return { done: 'saved', anchor: `comment-${id}` };
  },
  async 'delete-comment'({ features, context, form }) {
    await features.deleteComment(context, form.id ?? '');
    return { done: 'gone', anchor: 'comments' };
  },
  async 'judge-comment'({ features, context, form }) {
    const { id } = await features.moderateComment(context, form.id ?? '', judgementOf(form));
    return { done: 'saved', anchor: `comment-${id}` };
  },
  async status({ visit, features, context, post, form }) {
    const statuses = await features.listStatuses(visit.db.read, context.board.id);
    const { type, id } = statuses.find((status) => status.id === form.status) ?? { type: 'CUSTOM' as const, id: '' };
    const comment = form.comment?.trim() ? form.comment : null;
    await features.changePostStatus(context, post.id, {
      ...{ statusType: type, statusId: type === 'CUSTOM' ? id : null, comment },
    });
    return { done: 'saved' };
  },
  async tags({ features, context, post, form }) {
    const tagIds = Object.keys(form).flatMap((name) => /^tag:(.+)$/.exec(name)?.[1] ?? []);
    await features.updatePost(context, post.id, { tagIds });
    return { done: 'saved' };
  },
  async lock({ features, context, post }) {
    await features.updatePost(context, post.id, { isLocked: post.is_locked === 0 });
    return { done: 'saved' };
  },
  async pin({ features, context, post }) {
    await features.updatePost(context, post.id, { isPinned: post.is_pinned === 0 });
    return { done: 'saved' };
  },
  async judge({ features, context, post, form }) {
    await features.moderatePost(context, post.id, judgementOf(form));
    return { done: 'saved' };
  },
  async merge({ visit, features, context, post, form }) {
    const target = await features.findPostByNumber(visit.db.read, context.board.id, Number(form.target), context.actor);
    await features.mergePosts(context, [post.id], target?.id ?? '');
    return { done: 'merged' };
  },
  async unmerge({ features, context, post }) {
    await features.unmergePost(context, post.id);
    return { done: 'saved' };
  },
};

const judgements: readonly ModerationStatus[] = ['APPROVED', 'REJECTED', 'FLAGGED', 'PENDING'];

function judgementOf({ judgement }: Form): ModerationStatus {
  return judgements.find((known) => known === judgement) ?? 'PENDING';
}

/** Does what a form of a post asks for; null for what no form asks. */
export function doWithPost(doing: Doing): Promise<Result> | null {
  const intent = (doing.form.intent ?? '').replace(/:.*$/, '');
  return Object.hasOwn(actions, intent) ? (actions[intent]?.(doing) ?? null) : null;
}
