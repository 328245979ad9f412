import { addPastEntry } from '../../feedback/changelog/writing.ts';
import { createComment } from '../../feedback/comments/writing.ts';
import type { PropertyInput } from '../../feedback/fields/properties.ts';
import { keepFile } from '../../feedback/files/uploading.ts';
import { createPost } from '../../feedback/lifecycle/creating.ts';
import { updatePost } from '../../feedback/lifecycle/editing.ts';
import { POST_TITLE } from '../../feedback/posts/posts.ts';
import { parseTagIds } from '../../feedback/tags/tagging.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { AppError, badRequest } from '../../platform/errors.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { printable, requireLine } from '../../platform/texts/text.ts';
import { MAX_FILES, type ReceivedFiles } from './files.ts';
import { fitTexts } from './fitting.ts';
import type {
  ImportedComment,
  ImportedEntry,
  ImportedPerson,
  ImportedPost,
  ImportedVote,
  ImportedVoteCount,
  ImportItem,
  SourceName,
} from './items.ts';
import { commentIdOf, entryIdOf, externalIdOf, findKnown, isOther, type Known, missing, otherOf } from './known.ts';
import { type Added, Labels, type StatusChoices } from './labels.ts';
import { newCounts, type Outcome, type Told } from './outcome.ts';
import type { People } from './people.ts';
import { addReactions, type ImportedReactions } from './reactions.ts';
import { type Changes, rememberPost, takeOver } from './taking-over.ts';
import { addVotes } from './voting.ts';

/** How far the clock of another product may be ahead. */
const CLOCKS_DIFFER_MS = 10 * MINUTE_MS;
/** Fields of an idea that are imported; a board has fewer. */
const MAX_FIELDS = 100;

/**
 * What a batch needs: `context` is in its transaction, posts of its import have ids after `importId`, `planned` has the posts
 * that only a plan has added so far, `before` the statuses and tags, and `received` the files; null for a plan, which reads none.
 */
type Inputs = {
  context: ActorContext;
  importId: string;
  source: SourceName;
  people: People;
  planned: ReadonlySet<string>;
  received: ReceivedFiles | null;
  changes: Changes;
  statuses: StatusChoices;
  before: Added;
  told: Told;
};

/** Adds items to the board, each wholly or not at all. Those that the board refuses become problems. */
export async function addBatch(items: readonly ImportItem[], inputs: Inputs): Promise<Outcome> {
  const batch = new Batch(inputs);
  await batch.lookUp(items);
  for (const item of items) await batch.add(item);
  await batch.addVotes();
  await batch.addReactions();
  return batch.outcome;
}

class Batch {
  readonly #inputs: Inputs;
  readonly #labels: Labels;
  readonly #posts = new Map<string, Known>();
  readonly #comments = new Set<string>();
  readonly #entries = new Set<string>();
  readonly #votes: ImportedVote[] = [];
  readonly #voteCounts: ImportedVoteCount[] = [];
  readonly #reactions: ImportedReactions = { toComments: [], toEntries: [] };
  readonly #counted = newCounts();

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
    this.#labels = new Labels(inputs.context, inputs.statuses, inputs.before);
  }

  get outcome(): Outcome {
    const { foundStatuses, addedStatuses, addedTags } = this.#labels;
    return { ...this.#counted, foundStatuses, statuses: addedStatuses, tags: addedTags };
  }

  /** Reads what the board has of the items. */
  async lookUp(items: readonly ImportItem[]): Promise<void> {
    const { posts, comments, entries } = await findKnown(this.#inputs.context, this.#inputs.source, items);
    for (const [id, known] of posts) this.#posts.set(id, known);
    for (const id of comments) this.#comments.add(id);
    for (const id of entries) this.#entries.add(id);
  }

  async add(item: ImportItem): Promise<void> {
    if (item.kind === 'problem') {
      const { kind: _, ...problem } = item;
      this.#counted.problems.push(problem);
    } else if (item.kind === 'post') await this.#within(item.line, () => this.#addPost(item), item.id);
    else if (item.kind === 'comment') await this.#within(item.line, () => this.#addComment(item));
    else if (item.kind === 'entry') await this.#within(item.line, () => this.#addEntry(item));
    else if (item.kind === 'vote') await this.#within(item.line, async () => this.#keep(item, 'vote', this.#votes));
    else if (item.kind === 'voteCount') this.#voteCounts.push(item);
    else if (item.kind === 'commentReaction')
      await this.#within(item.line, async () => this.#keep(item, 'reaction', this.#reactions.toComments));
    else if (item.kind === 'entryReaction')
      await this.#within(item.line, async () => this.#keep(item, 'reaction', this.#reactions.toEntries));
  }

  #keep<T extends { dateCreated: number | null }>(item: T, name: string, list: T[]): void {
    const now = this.#inputs.context.clock.now();
    const at = item.dateCreated ?? 0;
    if (at > now + CLOCKS_DIFFER_MS) throw badRequest(`A ${name} must not be in the future`);
    list.push(at > now ? { ...item, dateCreated: now } : item);
  }

  async addVotes(): Promise<void> {
    const { context, people } = this.#inputs;
    const added = await addVotes(this.#votes, this.#voteCounts, {
      context,
      people,
      postOf: (id) => this.#postOf(id),
      within: (line, work) => this.#within(line, work),
      onAdded: (postId) => this.#noteAddition(postId),
    });
    Object.assign(this.#counted, added);
  }

  #noteAddition(postId: string): void {
    const { addsTo } = this.#counted;
    if (postId < this.#inputs.importId && (addsTo === null || postId < addsTo)) this.#counted.addsTo = postId;
  }

  async addReactions(): Promise<void> {
    const { received, ...inputs } = this.#inputs;
    this.#counted.reactions = await addReactions(this.#reactions, {
      ...inputs,
      isPlan: received === null,
      comments: this.#comments,
      entries: this.#entries,
      postOf: (id) => this.#postOf(id),
      within: (line, work) => this.#within(line, work),
    });
  }

  /** @param ideaId the idea that is left out with what belongs to it, if the board refuses it */
  async #within(line: number, work: () => Promise<void>, ideaId?: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { told } = this.#inputs;
      if (error.code === 'NOT_FOUND' && !told.isNew(error.message)) return;
      if (ideaId !== undefined) told.isNew(missing('idea', ideaId).message);
      this.#counted.problems.push({ line, message: error.message });
    }
  }

  async #addPost(item: ImportedPost): Promise<void> {
    const { context, source, changes } = this.#inputs;
    const known = this.#posts.get(item.id);
    if (known || this.#inputs.planned.has(item.id)) {
      this.#counted.posts.existing++;
      // Of a table that no product has written, the ids may be those of another one.
      if (known && source === 'csv' && isOther(known, item)) this.#reportOn(item)(otherOf(known, item));
      if (known && changes === 'TAKEN' && (await this.#takeOver(known.id, item))) this.#counted.changed++;
      return;
    }
    // Before anything else is added for it.
    const { title, text } = fitTexts(item, this.#reportOn(item));
    requireLine(title, POST_TITLE);
    if (item.id.trim() === '') throw badRequest('The idea has no id');
    const input = {
      title,
      comment: text,
      author: await this.#authorOf(item.author),
      statusId: await this.#statusIdOf(item),
      tagIds: await this.#tagIdsOf(item),
      dateCreated: this.#dateOf(item),
      externalId: externalIdOf(source, item.id),
      properties: await this.#propertiesOf(item),
      moderation: item.moderation,
    };
    const { attributes = {} } = item;
    const post = await this.#withFiles(item, async (files) => {
      const created = await createPost(context, { ...input, files });
      if (Object.values(attributes).some(Boolean)) await updatePost(context, created.id, attributes);
      if (changes !== 'IGNORED') await rememberPost(context, created, item);
      return created;
    });
    this.#posts.set(item.id, { id: post.id, title: post.title, isOpen: true });
    this.#counted.posts.added++;
  }

  #takeOver(postId: string, item: ImportedPost): Promise<boolean> {
    const report = this.#reportOn(item);
    const wanted = { fit: () => fitTexts(item, report), statusId: () => this.#statusIdOf(item), report };
    return takeOver(this.#inputs.context, postId, item, wanted);
  }

  #reportOn({ line }: { line: number }): (message: string) => void {
    return (message) => this.#counted.problems.push({ line, message });
  }

  /** A date in the future cannot be kept: what it belongs to is from now. */
  #dateOf({ line, dateCreated }: ImportedPost | ImportedComment): number {
    const now = this.#inputs.context.clock.now();
    if (dateCreated === null || dateCreated <= now) return dateCreated ?? now;
    this.#reportOn({ line })(`The date ${new Date(dateCreated).toISOString()} is in the future`);
    return now;
  }

  /** A status that the board refuses is left out, and the idea is added without it. */
  async #statusIdOf({ line, status, statusProperties }: ImportedPost): Promise<string | null> {
    try {
      return await this.#labels.findStatus(status, statusProperties);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Many ideas have the same one.
      const message = `The status “${printable(status ?? '')}” is left out: ${error.message}`;
      if (this.#inputs.told.isNew(message)) this.#counted.problems.push({ line, message });
      return null;
    }
  }

  async #addComment(item: ImportedComment): Promise<void> {
    const { comments } = this.#counted;
    const { context } = this.#inputs;
    const id = this.#commentId(item.id);
    const post = this.#postOf(item.postId);
    if (post === 'PLANNED') {
      await this.#authorOf(item.author);
      comments.added++;
      this.#countFiles(item);
    } else if (this.#comments.has(item.id) || !post.isOpen) comments.existing++;
    else {
      if (item.id.trim() === '') throw badRequest('The comment has no id');
      const input = {
        id,
        text: item.text,
        type: item.type,
        parentId: item.parentId === null ? null : this.#commentId(item.parentId),
        author: await this.#authorOf(item.author),
        dateCreated: this.#dateOf(item),
        moderation: item.moderation,
      };
      await this.#withFiles(item, (files) => createComment(context, post.id, { ...input, files }));
      this.#comments.add(item.id);
      this.#noteAddition(post.id);
      comments.added++;
    }
  }

  async #addEntry(item: ImportedEntry): Promise<void> {
    const { context, source, people } = this.#inputs;
    const { entries } = this.#counted;
    if (this.#entries.has(item.id)) {
      entries.existing++;
      return;
    }
    if (item.id.trim() === '') throw badRequest('The entry has no id');
    const { title, text, labels, datePublished, dateScheduled, author } = item;
    const input = {
      id: entryIdOf(context, source, item.id),
      title,
      text,
      labels,
      datePublished,
      dateScheduled,
      authorId: author && (await people.find(context, author)),
      dateCreated: item.dateCreated ?? context.clock.now(),
      postIds: await this.#linkedIds(item),
    };
    await this.#withFiles(item, (files) => addPastEntry(context, { ...input, files }));
    this.#entries.add(item.id);
    entries.added++;
  }

  /** Ideas that were not imported are left out; a plan has taken some of the others back. */
  async #linkedIds({ line, postIds }: ImportedEntry): Promise<string[]> {
    const ids: string[] = [];
    for (const id of postIds) {
      await this.#within(line, async () => {
        const post = this.#postOf(id);
        if (post !== 'PLANNED') ids.push(post.id);
      });
    }
    return ids;
  }

  /** Tags that are one too many for the board are left out. */
  async #tagIdsOf({ line, tags, privateTags = [] }: ImportedPost): Promise<string[]> {
    // Before any of too many for an idea is added.
    parseTagIds(tags);
    const ids: string[] = [];
    for (const name of tags) {
      await this.#within(line, async () => void ids.push(await this.#labels.findTag(name, privateTags.includes(name))));
    }
    return ids;
  }

  /** A wrong value of a field is left out, and the idea is added without it. */
  async #propertiesOf({ line, fields = [] }: ImportedPost): Promise<PropertyInput[]> {
    const properties: PropertyInput[] = [];
    const message = `Of its ${fields.length} fields, only the first ${MAX_FIELDS} are imported`;
    if (fields.length > MAX_FIELDS) this.#counted.problems.push({ line, message });
    for (const field of fields.slice(0, MAX_FIELDS)) {
      await this.#within(line, async () => void properties.push(...(await this.#labels.findProperty(field))));
    }
    return properties;
  }

  /** Adds something together with its files, all of it or nothing. */
  async #withFiles<T>(item: WithFiles, add: (files: readonly string[]) => Promise<T>): Promise<T> {
    const { context, received } = this.#inputs;
    const files = received?.get(item) ?? [];
    const added = await context.db.transaction(async (tx) => {
      for (const file of files) await keepFile(tx, context, file);
      return add(files.map(({ id }) => id));
    });
    this.#countFiles(item);
    return added;
  }

  /** Counts the files of what was added, and reports those that were too many. A plan expects all to be readable. */
  #countFiles(item: WithFiles): void {
    const { received } = this.#inputs;
    const files = received === null ? item.files?.slice(0, MAX_FILES) : received.get(item);
    this.#counted.files += files?.length ?? 0;
    const count = item.files?.length ?? 0;
    if (count > MAX_FILES) this.#reportOn(item)(`Of its ${count} files, only the first ${MAX_FILES} are imported`);
  }

  #postOf(id: string): Known | 'PLANNED' {
    const known = this.#posts.get(id);
    if (known) return known;
    if (this.#inputs.planned.has(id)) return 'PLANNED';
    throw missing('idea', id);
  }

  async #authorOf(person: ImportedPerson | null) {
    return person && { id: await this.#inputs.people.find(this.#inputs.context, person) };
  }

  #commentId(id: string): string {
    return commentIdOf(this.#inputs.context, this.#inputs.source, id);
  }
}

type WithFiles = ImportedPost | ImportedComment | ImportedEntry;
