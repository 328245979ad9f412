import type { ActorContext } from '../../identity/users/request-context.ts';
import { createPost, type NewPost } from '../lifecycle/creating.ts';
import type { PostRow } from '../posts/posts.ts';

/** Creates a post as the pages do: it begins with the vote of its author, who can take it back. */
export function createVotedPost(
  context: ActorContext,
  input: Pick<NewPost, 'title' | 'comment' | 'files' | 'properties' | 'asksFields' | 'doubt'> & { id: string },
): Promise<PostRow> {
  return createPost(context, { ...input, isVoted: true });
}
