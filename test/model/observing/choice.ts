import type { Random } from '../../crash/random.ts';
import { seesField } from '../properties.ts';
import { isTeam, liveVotes } from '../rights.ts';
import { inOrder, postsIn, visibleTags } from '../showing.ts';
import type { Person, Post, World } from '../world.ts';
import { type Ask, same } from './reading.ts';

/** Posts that have a word in title or description. */
export async function observeSearch(world: World, viewer: Person, ask: Ask, random: Random): Promise<void> {
  const words = world.posts.flatMap(({ title }) => /\b[a-z]{3,}\b/i.exec(title) ?? []);
  const word = random.pick(words)?.toLowerCase();
  if (word === undefined) return;
  const has = (text: string | null | undefined) => text?.toLowerCase().includes(word) ?? false;
  const expected = postsIn(world, viewer, (post) => has(post.title) || has(world.descriptionOf(post)?.text));
  const { posts } = await ask(
    'query($word: String!) { posts(search: $word, sort: NEWEST, limit: 100) { totalCount nodes { id } } }',
    { word },
  );
  const nodes = inOrder(world, 'NEWEST', expected).slice(0, 100);
  same(posts, { totalCount: expected.length, nodes: nodes.map(({ id }) => ({ id })) }, `posts with "${word}"`);
}

/** Posts by what they have in a field: a value, any, or none. */
export async function observeField(world: World, viewer: Person, ask: Ask, random: Random): Promise<void> {
  const field = random.pick(world.fields.filter((one) => seesField(viewer, one)));
  if (!field) return;
  const { label } = field;
  const value = random.pick(world.posts.flatMap((post) => post.values.get(field) ?? []));
  const has = (post: Post) =>
    post.values.get(field)?.some((one) => one.toLowerCase() === value?.toLowerCase()) ?? false;
  const filters: [filter: object, isChosen: (post: Post) => boolean][] = [
    [{ label, empty: 'true' }, (post) => !post.values.has(field)],
    [{ label: label.toLowerCase(), empty: 'false' }, (post) => post.values.has(field)],
    ...(value === undefined ? [] : [[{ label, is: value }, has] as [object, typeof has]]),
  ];
  for (const [filter, isChosen] of filters) {
    const { posts } = await ask(
      'query($filters: [PostFilter!]) { posts(filters: $filters, sort: OLDEST, limit: 100) { totalCount nodes { id } } }',
      { filters: [{ type: 'FIELD', ...filter }] },
    );
    const expected = inOrder(world, 'OLDEST', postsIn(world, viewer, isChosen));
    const nodes = expected.slice(0, 100).map(({ id }) => ({ id }));
    same(posts, { totalCount: expected.length, nodes }, `posts by field ${JSON.stringify(filter)}`);
  }
}

/** Posts that are chosen by a random condition. */
export async function observeChoice(world: World, viewer: Person, ask: Ask, random: Random): Promise<void> {
  const conditions: [where: object, isChosen: (post: Post) => boolean][] = [];
  const status = random.pick(world.statuses) as Post['status'];
  const tags = visibleTags(viewer, world.tags).slice(0, 2);
  const person = random.pick(world.people) as Person;
  const some = random.pick(world.posts);
  const ref = { ssotype: 'SSO', userId: person.ssoId };
  conditions.push([{ statusIds: [status.id] }, (post) => post.status === status]);
  conditions.push([
    { statusTypes: ['CUSTOM', status.type] },
    ({ status: { type } }) => type === 'CUSTOM' || type === status.type,
  ]);
  conditions.push([{ author: ref }, (post) => post.author === person]);
  conditions.push([{ votedBy: { id: person.id } }, (post) => !post.mergedInto && post.votes.has(person)]);
  conditions.push([{ minUpvotes: 2 }, (post) => liveVotes(post, 'UP') >= 2]);
  conditions.push([
    { moderationStatus: ['FLAGGED', 'PENDING'] },
    ({ moderation: m }) => m === 'FLAGGED' || m === 'PENDING',
  ]);
  conditions.push([{ externalId: 'x-1' }, (post) => post.externalId === 'x-1']);
  if (isTeam(viewer)) conditions.push([{ assignedTo: ref }, (post) => post.assignees.has(person)]);
  if (tags.length > 0) {
    const tagIds = tags.map(({ id }) => id);
    conditions.push([{ tagIds }, (post) => tags.some((tag) => post.tags.has(tag))]);
    conditions.push([{ tagIds, tagMode: 'ALL' }, (post) => tags.every((tag) => post.tags.has(tag))]);
  }
  if (some) {
    conditions.push([{ number: some.number }, (post) => post === some]);
    const at = (instant: number) => new Date(instant).toISOString();
    conditions.push([{ createdAfter: at(some.created) }, (post) => post.created >= some.created]);
    conditions.push([{ createdBefore: at(some.created) }, (post) => post.created < some.created]);
    conditions.push([{ updatedAfter: at(some.updated) }, (post) => post.updated >= some.updated]);
  }
  const [first, isFirst] = random.pick(conditions) ?? [{}, () => true];
  const others = conditions.filter(([other]) => Object.keys(other).every((name) => !(name in first)));
  const [second, isSecond] = random.pick(others) ?? [{}, () => true];
  const where = { ...first, ...second };
  const isChosen = (post: Post) => isFirst(post) && isSecond(post);
  const { posts } = await ask(
    'query($where: PostWhere!) { posts(where: $where, sort: OLDEST, limit: 100) { totalCount nodes { id } } }',
    { where },
  );
  const expected = inOrder(world, 'OLDEST', postsIn(world, viewer, isChosen));
  same(
    posts,
    { totalCount: expected.length, nodes: expected.slice(0, 100).map(({ id }) => ({ id })) },
    `posts where ${JSON.stringify(where)}`,
  );
}
