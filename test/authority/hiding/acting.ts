import assert from 'node:assert/strict';
import { purgePosts } from '../../../src/feedback/lifecycle/purge.ts';
import { DAY_MS } from '../../../src/platform/lib/clock.ts';
import type { TestApp } from '../../support/app.ts';
import { upload } from '../../support/files.ts';
import { type Idea, type Remark, rootOf, type Status, type Visibility, visibilities, type World } from './world.ts';

/** Changes of the world that an operation made: each with what was before. */
type Change = { of: object; before: object };
type Operation = { id: string; changes: Change[] };

/** What is said of a month that passes. */
export const LATER = '31 days later';

/** Makes the ideas, and what random operations do to them and to the world alike. */
export class Acting {
  readonly done: string[] = [];
  private readonly operations: Operation[] = [];
  private readonly app: TestApp;
  private readonly world: World;

  constructor(app: TestApp, world: World) {
    this.app = app;
    this.world = world;
  }

  /** A status of each visibility, and an idea of ann's in each, all of them public at first. */
  async begin(): Promise<void> {
    const { api } = this.app;
    for (let n = 0; n < 3; n++) {
      await api.createStatus({ name: `Status ${n}`, color: '#123456' });
    }
    const statuses = await api.listStatuses({ id: true, name: true, type: true });
    for (const { id, name, type } of statuses) {
      this.world.statuses.push({ id, name, type, visibility: 'PUBLIC' });
    }
    for (let n = 0; n < 7; n++) await this.addIdea();
    for (const idea of this.world.ideas) {
      await this.addRemark(idea, null, false);
      await this.addRemark(idea, null, true);
    }
    for (const [n, visibility] of visibilities.entries()) await this.show(this.ownStatuses[n], visibility);
    for (const [n, idea] of this.world.ideas.entries()) await this.move(idea, this.ownStatuses[n % 3]);
  }

  /** Does something; the server may refuse it, and then nothing changes. */
  async step(): Promise<void> {
    const { random, ideas, remarks } = this.world;
    const one = <T>(values: readonly T[]): T => random.pick(values) ?? assert.fail('nothing to choose from');
    const deleted = ideas.filter(({ deletedAt }) => deletedAt !== null);
    const steps: [weight: number, step: () => Promise<void>][] = [
      [6, () => this.move(one(ideas), one(this.ownStatuses))],
      [10, () => this.merge([...new Set([one(ideas), one(ideas)].slice(one([0, 1, 1])))], one(ideas))],
      [6, () => this.unmerge(one(this.mergedIdeas))],
      [2, () => this.remove(one(ideas))],
      [4, () => this.restore(one([...deleted, one(ideas)]))],
      [4, () => this.show(one([...this.ownStatuses, this.world.merged]), one(visibilities))],
      [4, () => this.addRemark(one(ideas), null, one([true, false, false]))],
      [6, () => this.reply(one(remarks))],
      [12, () => this.undo(random.pick(this.operations.slice(-6)))],
      [1, () => this.purge()],
    ];
    await one(steps.flatMap(([weight, step]) => Array<typeof step>(weight).fill(step)))();
  }

  private get ownStatuses(): Status[] {
    return this.world.statuses.filter(({ type }) => type === 'CUSTOM').slice(-3);
  }

  private get mergedIdeas(): Idea[] {
    const merged = this.world.ideas.filter(({ mergedInto }) => mergedInto !== null);
    return merged.length > 0 ? merged : this.world.ideas;
  }

  private async addIdea(): Promise<void> {
    const word = this.world.makeWord();
    const files = [await this.file(word)];
    const title = `Kilimanjaro ${word}`;
    const post = await this.app.api
      .as('ann')
      .createPost(
        { title, comment: title, externalId: word, files },
        { id: true, number: true, status: { id: true }, files: { url: true } },
      );
    const { id, number, status, files: made } = post;
    const current = this.world.statuses.find((other) => other.id === status.id) ?? assert.fail();
    const idea = { id, word, number, status: current, mergedInto: null, deletedAt: null, isGone: false };
    this.world.ideas.push(idea);
    this.world.files.push({ url: made[0]?.url ?? '', of: idea });
    for (const as of ['mia', 'mod']) {
      await this.app.api.as(as).subscribeToPost({ postId: id });
    }
  }

  private async file(word: string): Promise<string> {
    return (await upload(this.app, { filename: `${word}.txt`, bytes: word }, { as: 'ann' })).id;
  }

  private async addRemark(on: Idea, parent: Remark | null, isInternal: boolean): Promise<void> {
    const word = this.world.makeWord();
    const add = `mutation($id: String!, $word: String!, $parent: String, $type: CommentType, $files: [String]) {
      createComment(postId: $id, text: $word, parentId: $parent, type: $type, files: $files, notifySubscribers: true) {
        id files { url }
      }
    }`;
    const as = isInternal ? 'ada' : 'ann';
    const files = isInternal ? [] : [await this.file(word)];
    const variables = { id: on.id, word, files, parent: parent?.id, type: isInternal ? 'INTERNAL' : 'BASIC' };
    const done = `${as} comments on #${on.number}${parent ? ` in reply to ${parent.word}` : ''}: ${word}`;
    const data = await this.act(done, add, variables, [], as);
    if (data === null) return;
    // A reply stays where it was written, if not everyone sees what is written there.
    const home = parent && on.status.visibility === 'PUBLIC' ? parent.home : on;
    const remark = { id: data.createComment.id, word, home, isInternal, parent };
    this.world.remarks.push(remark);
    for (const { url } of data.createComment.files) this.world.files.push({ url, of: remark });
  }

  private async reply(to: Remark): Promise<void> {
    await this.addRemark(rootOf(to.home), to, to.isInternal);
  }

  private async move(idea: Idea, status: Status | undefined): Promise<void> {
    assert.ok(status);
    const move = `mutation($id: String!, $to: String!) {
      changePostStatus(postId: $id, statusType: CUSTOM, statusId: $to) { id }
    }`;
    const changes = [{ of: idea, after: { status } }];
    await this.act(`#${idea.number} becomes ${status.name}`, move, { id: idea.id, to: status.id }, changes);
  }

  private async merge(sources: Idea[], target: Idea): Promise<void> {
    const merge = 'mutation($ids: [String!]!, $id: String!) { mergePosts(sourceIds: $ids, targetId: $id) { id } }';
    const opens = sources.some((source) => this.world.wouldOpen(source, target));
    const done = `${sources.map(({ number }) => `#${number}`)} merged into #${target.number}`;
    const changes = sources.map((source) => ({ of: source, after: { mergedInto: target } }));
    const data = await this.act(done, merge, { ids: sources.map(({ id }) => id), id: target.id }, changes);
    assert.ok(data === null || !opens, `${done} shows it to more people`);
  }

  private async unmerge(idea: Idea): Promise<void> {
    const unmerge = 'mutation($id: String!) { unmergePost(id: $id) { id } }';
    await this.act(`#${idea.number} unmerged`, unmerge, { id: idea.id }, [{ of: idea, after: { mergedInto: null } }]);
  }

  private async remove(idea: Idea): Promise<void> {
    const changes = [{ of: idea, after: { deletedAt: this.app.clock.now() } }];
    await this.act(
      `#${idea.number} deleted`,
      'mutation($id: String!) { deletePost(postId: $id) { id } }',
      idea,
      changes,
    );
  }

  private async restore(idea: Idea): Promise<void> {
    const changes = [{ of: idea, after: { deletedAt: null } }];
    await this.act(`#${idea.number} restored`, 'mutation($id: String!) { restorePost(id: $id) { id } }', idea, changes);
  }

  private async show(status: Status | undefined, visibility: Visibility): Promise<void> {
    assert.ok(status);
    const show = 'mutation($id: String!, $to: PostVisibility!) { updateStatus(id: $id, postVisibility: $to) { id } }';
    const changes = [{ of: status, after: { visibility } }];
    await this.act(`${status.name} is ${visibility}`, show, { id: status.id, to: visibility }, changes);
  }

  private async undo(operation: Operation | undefined): Promise<void> {
    if (!operation) return;
    const changes = operation.changes.map(({ of, before }) => ({ of, after: before }));
    const undo = 'mutation($id: String!) { undo(operationId: $id) { id } }';
    await this.act(`undone: operation ${operation.id.slice(-6)}`, undo, { id: operation.id }, changes);
  }

  private async purge(): Promise<void> {
    const { app, world } = this;
    app.clock.advance(31 * DAY_MS);
    await purgePosts({ db: app.db, clock: app.clock, baseUrl: 'http://board.test' });
    for (const idea of world.ideas) if (idea.deletedAt !== null) idea.isGone = true;
    for (const idea of world.ideas) if (idea.mergedInto?.isGone) idea.mergedInto = null;
    this.done.push(LATER);
  }

  /** Sends a mutation, and makes the changes in the world if it is accepted. @returns its data, or null */
  private async act(
    done: string,
    query: string,
    variables: object,
    changes: readonly { of: object; after: object }[],
    as = 'ada',
    // biome-ignore lint/suspicious/noExplicitAny: answers have every shape
  ): Promise<any> {
    const known = Object.entries(variables).filter(([name]) => query.includes(`$${name}`));
    const { data, errors, headers } = await this.app.gql(query, Object.fromEntries(known), { as });
    const [error] = errors;
    if (error) {
      assert.ok(['CONFLICT', 'NOT_FOUND', 'BAD_REQUEST'].includes(error.extensions.code), `${done}: ${error.message}`);
      return null;
    }
    const id = headers['earshot-operation-id'];
    this.done.push(`${done}${id ? ` (${String(id).slice(-6)})` : ''}`);
    const before = changes.map(({ of, after }) => ({
      of,
      before: Object.fromEntries(Object.keys(after).map((name) => [name, Reflect.get(of, name)])),
    }));
    for (const { of, after } of changes) Object.assign(of, after);
    if (id) this.operations.push({ id: String(id), changes: before });
    return data;
  }
}
