import { addPastVotes, type PastVote } from '../../feedback/votes/importing.ts';
import { nameUnattributed, setUnattributed } from '../../feedback/votes/unattributed.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { ImportedVote, ImportedVoteCount } from './items.ts';
import { countNamed, type Known, voteIdOf } from './known.ts';
import { none, type Tally } from './outcome.ts';
import type { People } from './people.ts';

/**
 * What votes need of their batch: `postOf` finds a post, `within` makes a problem of what the board refuses, and `onAdded` is
 * told on which posts some were added.
 */
type Inputs = {
  context: ActorContext;
  people: People;
  postOf(id: string): Known | 'PLANNED';
  within(line: number, work: () => Promise<void>): Promise<void>;
  onAdded(postId: string): void;
};

/** Adds the votes on each post at once, and then those of which the source has only the number. */
export async function addVotes(
  votes: readonly ImportedVote[],
  counts: readonly ImportedVoteCount[],
  inputs: Inputs,
): Promise<{ votes: Tally; voteCounts: Tally }> {
  const [named, unnamed] = [none(), none()];
  const byPost = Map.groupBy(votes, (vote) => vote.postId);
  for (const [postId, ofPost] of byPost) {
    await inputs.within(ofPost[0]?.line ?? 0, async () => count(named, ...(await addVotesOn(postId, ofPost, inputs))));
  }
  for (const item of counts) {
    const planned = byPost.get(item.postId)?.length ?? 0;
    await inputs.within(item.line, async () => count(unnamed, ...(await setVoteCount(item, planned, inputs))));
  }
  return { votes: named, voteCounts: unnamed };
}

type Counted = [added: number, all: number];

function count(tally: Tally, added: number, all: number): void {
  tally.added += added;
  tally.existing += all - added;
}

async function addVotesOn(
  postId: string,
  votes: readonly ImportedVote[],
  { context, people, postOf, within, onAdded }: Inputs,
): Promise<Counted> {
  const post = postOf(postId);
  if (post !== 'PLANNED' && !post.isOpen) return [0, votes.length];
  const cast: PastVote[] = [];
  for (const { line, voter, type = 'UP', dateCreated } of votes) {
    await within(line, async () => {
      const userId = await people.find(context, voter);
      const id = post === 'PLANNED' ? '' : voteIdOf(context, post.id, userId);
      cast.push({ id, userId, type, dateCreated: dateCreated ?? context.clock.now() });
    });
  }
  if (post === 'PLANNED') return [cast.length, cast.length];
  const added = await addPastVotes(context, post.id, cast);
  if (added > 0) onAdded(post.id);
  if (votes[0]?.isCounted) await nameUnattributed(context, post.id, added);
  return [added, cast.length];
}

/** @param planned how many votes with names a plan has for the post */
async function setVoteCount(
  item: ImportedVoteCount,
  planned: number,
  { context, postOf, onAdded }: Inputs,
): Promise<Counted> {
  const { postId, isTotal = false } = item;
  const post = postOf(postId);
  const unnamedOf = (named: number) => Math.max(item.count - (isTotal ? named : 0), 0);
  if (post === 'PLANNED') return [unnamedOf(planned), unnamedOf(planned)];
  const unnamed = unnamedOf(isTotal ? await countNamed(context, post.id) : 0);
  const more = post.isOpen ? await setUnattributed(context, post.id, unnamed) : 0;
  if (more !== 0) onAdded(post.id);
  return [Math.max(more, 0), unnamed];
}
