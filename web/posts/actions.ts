import { findAssigneeIds, setAssignees } from '#src/feedback/assignments/assignments.ts';
import { findComment, findDescription } from '#src/feedback/comments/comments.ts';
import { moderateComment } from '#src/feedback/comments/moderation.ts';
import { deleteComment, restoreComment, updateComment } from '#src/feedback/comments/writing.ts';
import { updatePost } from '#src/feedback/lifecycle/editing.ts';
import { mergePosts, unmergePost } from '#src/feedback/lifecycle/merging.ts';
import { moderatePost } from '#src/feedback/lifecycle/moderation.ts';
import { changePostStatus } from '#src/feedback/lifecycle/moving.ts';
import { setTriage } from '#src/feedback/lifecycle/triage.ts';
import { type Audience, audiences, MAX_HOLD_MS, type Notifying } from '#src/feedback/notices/notices.ts';
import { stopNotifications } from '#src/feedback/notices/stopping.ts';
import { findPostByNumber, type PostRow } from '#src/feedback/posts/posts.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { setSubscription } from '#src/feedback/subscriptions/subscriptions.ts';
import { findTagIds } from '#src/feedback/tags/tagging.ts';
import { type ModerationStatus, moderationStatuses } from '#src/feedback/visibility/posts.ts';
import { changeStanding } from '#src/identity/access/standing.ts';
import { requireRight } from '#src/identity/users/authority.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import type { Visit } from '#src/pages/visit.ts';
import { DAY_MS } from '#src/platform/lib/clock.ts';
import { makeId } from '#src/platform/lib/ids.ts';
import { countAttempt } from '#src/platform/limits/throttle.ts';
import { parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { answerForm, type FormAnswer } from '../parts/requests/forms.ts';
import type { Done } from '../parts/requests/toasts.ts';
import { compareForm } from '../parts/requests/versions.ts';
import { compareFields } from './idea-fields.ts';
import { issueActions } from './issue-actions.ts';

type Form = Record<string, string>;
type Doing = {
  visit: Visit;
  context: ActorContext;
  post: PostRow;
  form: Form;
  /** A stored text as its form shows it. */
  sourceOf(text: string): Promise<string>;
  /** The names of those to whom the post is assigned. */
  namesOfAssignees(): Promise<string[]>;
};

/** What was done, where on the page to see it, the notice of it while its mails can be stopped, and the comment it deleted. */
export type Result = { done: Done; anchor?: string; notice?: string; deleted?: string };

/**
 * The actions of the forms of a post, except writing comments, by their intent. The functions that they call check rights;
 * what compares a form with the current state does so first, because the answer shows that state.
 */
const actions: Record<string, (doing: Doing) => Promise<Result | FormAnswer>> = {
  async follow({ context, post }) {
    await setSubscription(context, post.id, true, null);
    return { done: 'followed' };
  },
  async unfollow({ context, post }) {
    await setSubscription(context, post.id, false, null);
    return { done: 'unfollowed' };
  },
  async edit({ visit, context, post, form, sourceOf }) {
    requireRight(context.actor, 'post.edit', post.author_id);
    const text = (await findDescription(visit.db.read, post))?.text ?? null;
    const current = { title: post.title, comment: text === null ? '' : await sourceOf(text) };
    const { changed, conflict } = compareForm(form, current);
    if (conflict) return conflict;
    const isRenamed = changed.has('title') && form.title?.trim() !== post.title;
    if (isRenamed && context.actor.role === 'MEMBER') {
      await countAttempt(visit.db, visit.clock, 'titles of', context.actor.id);
    }
    const title = changed.has('title') ? { title: form.title ?? '' } : {};
    const comment = changed.has('comment') && form.comment?.trim() ? { comment: form.comment } : {};
    const seen = { ...('title' in title && { title: post.title }), ...('comment' in comment && { comment: text }) };
    await updatePost(context, post.id, { ...title, ...comment }, seen);
    return { done: 'saved' };
  },
  async 'edit-comment'({ visit, context, form, sourceOf }) {
    const comment = await findComment(visit.db.read, context.board.id, form.id ?? '', context.actor);
    requireRight(context.actor, 'comment.edit', comment?.user_id);
    const text = comment && (await sourceOf(comment.text));
    const { changed, conflict } = compareForm(form, { text: text ?? '' });
    if (conflict) return conflict;
    if (!changed.has('text')) return { done: 'saved' };
    const { id } = await updateComment(context, form.id ?? '', form.text ?? '', comment?.text);
    return { done: 'saved', anchor: `comment-${id}` };
  },
  async 'delete-comment'({ context, form }) {
    const { id } = await deleteComment(context, form.id ?? '');
    return { done: 'gone', anchor: 'comments', deleted: id };
  },
  async 'restore-comment'({ context, form }) {
    const { id } = await restoreComment(context, form.id ?? '');
    return { done: 'saved', anchor: `comment-${id}` };
  },
  async 'moderate-comment'({ context, form }) {
    const { id } = await moderateComment(context, form.id ?? '', moderationStatusOf(form));
    return { done: 'saved', anchor: `comment-${id}` };
  },
  async status({ visit, context, post, form }) {
    requireRight(context.actor, 'post.status');
    const statuses = await listStatuses(visit.db.read, context.board.id);
    const { type, id } = statuses.find((status) => status.id === form.status) ?? { type: 'CUSTOM' as const, id: '' };
    const comment = form.comment?.trim() ? form.comment : null;
    const notice = makeId();
    const { expected = post.expected ?? '' } = form;
    const current = { status: post.status_id, expected: post.expected ?? '' };
    const shown = { status: statuses.find((status) => status.id === post.status_id)?.name ?? '' };
    const { changed, conflict } = compareForm({ ...form, expected }, current, shown);
    if (conflict) return conflict;
    if (comment !== null && !changed.has('status')) {
      return answerForm(form, m.statusUnchanged(parseLocale(visit.language())), 'comment');
    }
    if (changed.has('expected') && expected !== current.expected) {
      await updatePost(context, post.id, { expected }, { expected: post.expected });
    }
    if (!changed.has('status')) return { done: 'saved' };
    await changePostStatus(context, post.id, {
      statusType: type,
      statusId: type === 'CUSTOM' ? id : null,
      comment,
      notifying: notifyingOf(form, notice),
      seenStatusId: post.status_id,
    });
    return id === post.status_id ? { done: 'saved' } : { done: 'saved', notice };
  },
  async 'stop-mails'({ context, form }) {
    const isInTime = await stopNotifications(context, form.notice ?? '');
    return { done: isInTime ? 'mailsStopped' : 'mailsTooLate' };
  },
  async tags({ visit, context, post, form }) {
    const chosen = Object.keys(form).flatMap((name) => /^tag:(.+)$/.exec(name)?.[1] ?? []);
    const current = await findTagIds(visit.db.read, post);
    // Tags that others have given or taken since stay so.
    const had = form.had?.split(',') ?? current;
    const kept = current.filter((id) => chosen.includes(id) || !had.includes(id));
    const tagIds = [...new Set([...kept, ...chosen.filter((id) => !had.includes(id))])];
    await updatePost(context, post.id, { tagIds });
    return { done: 'saved' };
  },
  async fields({ context, post, form }) {
    requireRight(context.actor, 'post.edit', post.author_id);
    const { conflict, properties, seen } = await compareFields(context, post, form);
    if (conflict) return conflict;
    await updatePost(context, post.id, { properties }, seen);
    return { done: 'saved' };
  },
  async assign({ visit, context, post, form, namesOfAssignees }) {
    requireRight(context.actor, 'post.assign');
    const ids = await findAssigneeIds(visit.db.read, post);
    const assignee = (await namesOfAssignees()).join(', ');
    const { changed, conflict } = compareForm(form, { assignee: ids.join() }, { assignee });
    if (conflict) return conflict;
    if (changed.has('assignee')) await setAssignees(context, post.id, form.assignee ? [form.assignee] : [], ids);
    return { done: 'saved' };
  },
  async triage({ visit, context, post, form }) {
    const days = Number(form.days);
    await setTriage(context, post.id, days > 0 ? visit.clock.now() + days * DAY_MS : null);
    return { done: days > 0 ? 'snoozed' : 'triaged' };
  },
  async lock({ context, post, form }) {
    await updatePost(context, post.id, { isLocked: form.to === 'on' });
    return { done: 'saved' };
  },
  async pin({ context, post, form }) {
    await updatePost(context, post.id, { isPinned: form.to === 'on' });
    return { done: 'saved' };
  },
  async moderate({ context, post, form }) {
    await moderatePost(context, post.id, moderationStatusOf(form));
    return { done: 'saved' };
  },
  async standing({ visit, context, form }) {
    visit.personChanged(await changeStanding(context, form.author ?? '', form.standing ?? ''));
    return { done: 'saved' };
  },
  async merge({ visit, context, post, form }) {
    const target = await findPostByNumber(visit.db.read, context.board.id, Number(form.target), context.actor);
    const notice = makeId();
    await mergePosts(context, [post.id], target?.id ?? '', notifyingOf(form, notice));
    return { done: 'merged', notice };
  },
  ...issueActions,
  async unmerge({ context, post }) {
    await unmergePost(context, post.id);
    return { done: 'saved' };
  },
};

/** Whom a change of a form notifies, as a notice with this id: after a time in which the team can stop it. */
export function notifyingOf(form: Form, id: string): Notifying {
  return { id, holdMs: MAX_HOLD_MS, audience: audienceOf(form) };
}

/** Whom the form chose to notify; the usual users if it did not ask. */
export function audienceOf(form: Form): Audience | undefined {
  if (form.audience === undefined) return undefined;
  return Object.fromEntries(audiences.map((name) => [name, form[`notify:${name}`] === 'on']));
}

function moderationStatusOf({ moderationStatus }: Form): ModerationStatus {
  return moderationStatuses.find((known) => known === moderationStatus) ?? 'PENDING';
}

/** Runs the action of a post's form; null for an unknown one. */
export function doWithPost(doing: Doing): Promise<Result | FormAnswer> | null {
  const intent = (doing.form.intent ?? '').replace(/:.*$/, '');
  return Object.hasOwn(actions, intent) ? (actions[intent]?.(doing) ?? null) : null;
}
