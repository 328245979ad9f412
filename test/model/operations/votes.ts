import { actingProblems, type Operation, personFor, personOf, postFor } from '../operation.ts';
import { isTeam } from '../rights.ts';
import { follow, type Person, type Post } from '../world.ts';
import { openProblems } from './comments.ts';

function voting(weight: number, type: 'UP' | 'DOWN' | null): Operation {
  return {
    weight,
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
      // A vote that came with a merged post, given once more, becomes one of this post's own.
      if ((before?.type ?? null) === type && !before?.from) return;
      if (type === null) {
        post.votes.delete(voter);
        unfollowVoter(post, voter);
        return;
      }
      post.votes.set(voter, { type, addedBy: voter === actor ? null : actor, date: world.now(), from: null });
      follow(post, voter, 'voted');
    },
  };
}

/** Without the vote, the person follows the post only for what else they did there. */
function unfollowVoter(post: Post, voter: Person): void {
  const following = post.followers.get(voter);
  if (!following) return;
  const ways = new Set([...following.ways].filter((way) => way !== 'voted'));
  if (ways.size > 0 || following.isEnded) post.followers.set(voter, { ...following, ways });
  else post.followers.delete(voter);
}

function following(weight: number, isFollowing: boolean): Operation {
  return {
    weight,
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
      if (isFollowing) follow(post, person, 'chose');
      const ways = post.followers.get(person)?.ways ?? new Set();
      post.followers.set(person, { ways, from: null, isEnded: !isFollowing });
    },
  };
}

function assigning(weight: number, isAssigned: boolean): Operation {
  return {
    weight,
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
