import type { PostRow } from '../../src/feedback/posts/posts.ts';
import type { ModerationStatus } from '../../src/feedback/visibility/posts.ts';
import type { ActorContext } from '../../src/identity/users/request-context.ts';
import type { Features } from '../../src/pages/features.ts';
import type { Visit } from '../../src/pages/visit.ts';
import type { Done } from '../ui/toast.tsx';

type Form = Record<string, string>;
type Doing = { visit: Visit; features: Features; call: ActorContext; post: PostRow; form: Form };

/** What was done, and where on the page to see it. */
export type Result = { done: Done; anchor?: string };

/** What the forms of a post ask for beside comments, by their intent. Whether somebody may is decided by the features. */
const actions: Record<string, (doing: Doing) => Promise<Result>> = {
  async follow({ features, call, post }) {
    await features.setSubscription(call, post.id, true, null);
    return { done: 'followed' };
  },
  async unfollow({ features, call, post }) {
    await features.setSubscription(call, post.id, false, null);
    return { done: 'unfollowed' };
  },
  async edit({ visit, features, call, post, form }) {
    const isRenamed = form.title?.trim() !== post.title;
    if (isRenamed && call.actor.role === 'MEMBER') {
      await features.countAttempt(visit.db, visit.clock, 'titles of', call.actor.id);
    }
    const comment = form.comment?.trim() ? form.comment : null;
    await features.updatePost(call, post.id, { title: form.title ?? '', comment });
    return { done: 'saved' };
  },
  async 'edit-comment'({ features, call, form }) {
    const { id } = await features.updateComment(call, form.id ?? '', form.text ?? '');
    return { done: 'saved', anchor: `comment-${id}` };
  },
  async 'delete-comment'({ features, call, form }) {
    await features.deleteComment(call, form.id ?? '');
    return { done: 'gone', anchor: 'comments' };
  },
  async 'judge-comment'({ features, call, form }) {
    const { id } = await features.moderateComment(call, form.id ?? '', judgementOf(form));
    return { done: 'saved', anchor: `comment-${id}` };
  },
  async status({ visit, features, call, post, form }) {
    const statuses = await features.listStatuses(visit.db.read, call.board.id);
    const { type, id } = statuses.find((status) => status.id === form.status) ?? { type: 'CUSTOM' as const, id: '' };
    const comment = form.comment?.trim() ? form.comment : null;
    await features.changePostStatus(call, post.id, {
      ...{ statusType: type, statusId: type === 'CUSTOM' ? id : null, comment },
    });
    return { done: 'saved' };
  },
  async tags({ features, call, post, form }) {
    const tagIds = Object.keys(form).flatMap((name) => /^tag:(.+)$/.exec(name)?.[1] ?? []);
    await features.updatePost(call, post.id, { tagIds });
    return { done: 'saved' };
  },
  async lock({ features, call, post }) {
    await features.updatePost(call, post.id, { isLocked: post.is_locked === 0 });
    return { done: 'saved' };
  },
  async pin({ features, call, post }) {
    await features.updatePost(call, post.id, { isPinned: post.is_pinned === 0 });
    return { done: 'saved' };
  },
  async judge({ features, call, post, form }) {
    await features.moderatePost(call, post.id, judgementOf(form));
    return { done: 'saved' };
  },
  async merge({ visit, features, call, post, form }) {
    const target = await features.findPostByNumber(visit.db.read, call.board.id, Number(form.target), call.actor);
    await features.mergePosts(call, [post.id], target?.id ?? '');
    return { done: 'merged' };
  },
  async unmerge({ features, call, post }) {
    await features.unmergePost(call, post.id);
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
