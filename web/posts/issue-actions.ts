import { removeLink } from '#src/feedback/issues/issues.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { decideOnIssues } from '#src/operations/trackers/deciding.ts';
import { linkIssue } from '#src/operations/trackers/linking.ts';

type Doing = { context: ActorContext; post: PostRow; form: Record<string, string> };

/** The actions of the forms about the issues of a post, by their intent. */
export const issueActions = {
  async 'link-issue'({ context, post, form }: Doing) {
    await linkIssue(context, post.id, { named: form.issue ?? '' });
    return { done: 'saved' as const };
  },
  async 'make-issue'({ context, post, form }: Doing) {
    await linkIssue(context, post.id, { trackerId: form.tracker ?? '' });
    return { done: 'issueMade' as const };
  },
  async 'unlink-issue'({ context, form }: Doing) {
    await removeLink(context, form.id ?? '');
    return { done: 'saved' as const };
  },
  async 'decide-issues'({ context, post, form }: Doing) {
    const draft = await decideOnIssues(context, post, form.to === 'complete');
    return { done: draft ? ('entryDrafted' as const) : ('saved' as const) };
  },
};
