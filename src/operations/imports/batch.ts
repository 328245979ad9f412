import { createComment } from '../../feedback/comments/writing.ts';
import { createPost } from '../../feedback/lifecycle/creating.ts';
import { addCastVotes } from '../../feedback/votes/importing.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { AppError } from '../../platform/errors.ts';
import { deriveId } from '../../platform/lib/ids.ts';
import type {
  ImportedComment,
  ImportedPerson,
  ImportedPost,
  ImportedVote,
  ImportItem,
  Problem,
  SourceName,
} from './items.ts';
import { Labels } from './labels.ts';
import type { People } from './people.ts';

/** How many were added, and how many the board had already. */
export type Tally = { added: number; existing: number };
/** What one batch did. */
export type Outcome = {
  posts: Tally;
  comments: Tally;
  votes: Tally;
  statuses: readonly string[];
  tags: readonly string[];
  problems: Problem[];
};

/** A post of the board that came with an import; those that are deleted or merged get no more comments and votes. */
type Known = { id: string; isOpen: boolean };

/** What a batch needs: `context` is in its transaction, and `planned` has the posts that only a plan has added so far. */
type Inputs = { context: ActorContext; source: SourceName; people: People; planned: ReadonlySet<string> };

/** Adds items to the board, each wholly or not at all. Those that the board refuses become problems. */
export async function addBatch(items: readonly ImportItem[], inputs: Inputs): Promise<Outcome> {
  const batch = new Batch(inputs);
  await batch.lookUp(items);
  for (const item of items) await batch.add(item);
  await batch.addVotes();
  return batch.outcome;
}

class Batch {
  readonly #inputs: Inputs;
  readonly #labels: Labels;
  readonly #posts = new Map<string, Known>();
  readonly #comments = new Set<string>();
  readonly #votes: ImportedVote[] = [];
  readonly #counted: Omit<Outcome, 'statuses' | 'tags'> = {
    posts: { added: 0, existing: 0 },
    comments: { added: 0, existing: 0 },
    votes: { added: 0, existing: 0 },
    problems: [],
  };

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
    this.#labels = new Labels(inputs.context);
  }

  get outcome(): Outcome {
    return { ...this.#counted, statuses: this.#labels.addedStatuses, tags: this.#labels.addedTags };
  }

  /** Reads what the board has of the items. */
  async lookUp(items: readonly ImportItem[]): Promise<void> {
    const { db, board } = this.#inputs.context;
    const postIds = items.flatMap((item) => (item.kind === 'post' ? item.id : 'postId' in item ? item.postId : []));
    const found = await findImported(this.#inputs.context, this.#inputs.source, postIds);
    for (const [id, known] of found) this.#posts.set(id, known);
    const commentIds = items.flatMap((item) => (item.kind === 'comment' ? this.#commentId(item.id) : []));
    const comments = db.read.selectFrom('comments').select('id').where('board_id', '=', board.id);
    const rows = await comments.where(isOneOf(db.read, 'id', commentIds)).execute();
    for (const { id } of rows) this.#comments.add(id);
  }

  async add(item: ImportItem): Promise<void> {
    if (item.kind === 'problem') this.#counted.problems.push({ line: item.line, message: item.message });
    else if (item.kind === 'post') await this.#within(item.line, () => this.#addPost(item));
    else if (item.kind === 'comment') await this.#within(item.line, () => this.#addComment(item));
    else if (item.kind === 'vote') this.#votes.push(item);
  }

  /** The votes on each post at once. */
  async addVotes(): Promise<void> {
    for (const [postId, votes] of Map.groupBy(this.#votes, (vote) => vote.postId)) {
      await this.#within(votes[0]?.line ?? 0, () => this.#addVotesOn(postId, votes));
    }
  }

  async #within(line: number, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#counted.problems.push({ line, message: error.message });
    }
  }

  async #addPost(item: ImportedPost): Promise<void> {
    const { context, source } = this.#inputs;
    if (this.#posts.has(item.id)) {
      this.#counted.posts.existing++;
      return;
    }
    const post = await createPost(context, {
      title: item.title,
      comment: item.text,
      author: await this.#authorOf(item.author),
      statusId: await this.#labels.findStatus(item.status),
      tagIds: await this.#labels.findTags(item.tags),
      dateCreated: item.dateCreated ?? context.clock.now(),
      externalId: externalIdOf(source, item.id),
    });
    this.#posts.set(item.id, { id: post.id, isOpen: true });
    this.#counted.posts.added++;
  }

  async #addComment(item: ImportedComment): Promise<void> {
    const { comments } = this.#counted;
    const { context } = this.#inputs;
    const id = this.#commentId(item.id);
    const post = this.#postOf(item.postId);
    if (post === 'PLANNED') comments.added++;
    else if (this.#comments.has(id) || !post.isOpen) comments.existing++;
    else {
      await createComment(context, post.id, {
        id,
        text: item.text,
        type: item.type,
        parentId: item.parentId === null ? null : this.#commentId(item.parentId),
        author: await this.#authorOf(item.author),
        dateCreated: item.dateCreated ?? context.clock.now(),
      });
      this.#comments.add(id);
      comments.added++;
    }
  }

  async #addVotesOn(postId: string, votes: readonly ImportedVote[]): Promise<void> {
    const { context, people } = this.#inputs;
    const post = this.#postOf(postId);
    let added = post === 'PLANNED' ? votes.length : 0;
    if (post !== 'PLANNED' && post.isOpen) {
      const cast: { userId: string; dateCreated: number }[] = [];
      for (const { voter, dateCreated } of votes) {
        cast.push({ userId: await people.find(context, voter), dateCreated: dateCreated ?? context.clock.now() });
      }
      added = await addCastVotes(context, post.id, cast);
    }
    this.#counted.votes.added += added;
    this.#counted.votes.existing += votes.length - added;
  }

  #postOf(id: string): Known | 'PLANNED' {
    const known = this.#posts.get(id);
    if (known) return known;
    if (this.#inputs.planned.has(id)) return 'PLANNED';
    throw new AppError('NOT_FOUND', `There is no idea ${id.slice(0, 100)} before this line`);
  }

  async #authorOf(person: ImportedPerson | null) {
    return person && { id: await this.#inputs.people.find(this.#inputs.context, person) };
  }

  #commentId(id: string): string {
    const { context, source } = this.#inputs;
    return deriveId(context.board.id, source, 'comment', id);
  }
}

/** The external id of an imported post, by which a repeated import finds it again. */
export function externalIdOf(source: SourceName, id: string): string {
  return `${source}:${id}`;
}

/** The posts of the board that came from these posts of the source. */
export async function findImported(
  { db, board }: Pick<ActorContext, 'db' | 'board'>,
  source: SourceName,
  ids: readonly string[],
): Promise<Map<string, Known>> {
  const externalIds = ids.map((id) => externalIdOf(source, id));
  const posts = db.read.selectFrom('posts').select(['id', 'external_id', 'date_deleted', 'merged_into_id']);
  const ofBoard = posts.where('board_id', '=', board.id);
  const rows = await ofBoard.where(isOneOf(db.read, 'external_id', externalIds)).execute();
  return new Map(
    rows.map(({ id, external_id, date_deleted, merged_into_id }) => [
      (external_id ?? '').slice(source.length + 1),
      { id, isOpen: date_deleted === null && merged_into_id === null },
    ]),
  );
}
