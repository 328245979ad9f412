import { actingProblems, type Operation, POST, personFor, personOf, postFor } from '../operation.ts';
import { isTeam } from '../rights.ts';
import type { Post } from '../world.ts';
import { openProblems } from './comments.ts';

function voting(weight: number, type: 'UP' | 'DOWN' | null): Operation {
  return {
    weight,
    selection: POST,
    choose: (pick) => ({ postId: pick.post(), voter: pick.maybe(0.25, () => pick.person()) }),
    problems: (doing) => [
      ...actingProblems(doing, doing.args.voter),
      ...openProblems(postFor(doing, doing.args.postId)),
    ],
    apply(doing) {
      const { world, actor, args } = doing;
      const post = postFor(doing, args.postId) as Post;
      const voter = personFor(doing, args.voter);
      const before = post.votes.get(voter);
      if (type === null) post.votes.delete(voter);
      // A vote that came with a merged post, given once more, becomes one of this post's own.
      else if (before?.type !== type || before.from !== null)
        post.votes.set(voter, { type, addedBy: voter === actor ? null : actor, date: world.now(), from: null });
    },
  };
}

function following(weight: number, isFollowing: boolean): Operation {
  return {
    weight,
    selection: POST,
    choose: (pick) => ({ postId: pick.post(), user: pick.maybe(0.25, () => pick.person()) }),
    problems(doing) {
      const post = postFor(doing, doing.args.postId);
      return [
        ...actingProblems(doing, doing.args.user),
        ...(post ? [] : ['NOT_FOUND' as const]),
        ...(post?.mergedInto ? ['CONFLICT' as const] : []),
      ];
    },
    apply(doing) {
      const post = postFor(doing, doing.args.postId) as Post;
      const person = personFor(doing, doing.args.user);
      if (isFollowing) post.followers.set(person, null);
      else post.followers.delete(person);
    },
  };
}

function assigning(weight: number, isAssigned: boolean): Operation {
  return {
    weight,
    selection: POST,
    choose: (pick) => ({ postId: pick.post(), user: pick.person() }),
    problems(doing) {
      const { world, actor, args } = doing;
      const person = personOf(world, args.user);
      return [
        ...(isTeam(actor) ? [] : ['FORBIDDEN' as const]),
        ...(postFor(doing, args.postId) ? [] : ['NOT_FOUND' as const]),
        ...(typeof person === 'string' ? [person] : []),
        ...(typeof person !== 'string' && isAssigned && !isTeam(person) ? ['BAD_REQUEST' as const] : []),
      ];
    },
    apply(doing) {
      const post = postFor(doing, doing.args.postId) as Post;
      const person = personFor(doing, doing.args.user);
      if (!isAssigned) post.assignees.delete(person);
      else if (!post.assignees.has(person)) post.assignees.set(person, doing.actor);
    },
  };
}

export const voteOperations = {
  upvotePost: voting(10, 'UP'),
  downvotePost: voting(4, 'DOWN'),
  removeVote: voting(4, null),
  subscribeToPost: following(2, true),
  unsubscribeFromPost: following(2, false),
  assignPost: assigning(2, true),
  unassignPost: assigning(1, false),
};
