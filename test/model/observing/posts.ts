import assert from 'node:assert/strict';
import type { Random } from '../../crash/random.ts';
import { isTeam, liveVotes } from '../rights.ts';
import {
  byDate,
  byId,
  firstHundred,
  inOrder,
  known,
  orders,
  POST_FIELDS,
  postsIn,
  roadmapOf,
  showPost,
  visibleComments,
  visiblePosts,
} from '../showing.ts';
import { followersOf, type Person, type Post, type World } from '../world.ts';
import { type Ask, readAll, same, sorted } from './reading.ts';

/** Posts in an order of the API, and where they are on the roadmap. */
export async function observePosts(world: World, viewer: Person, ask: Ask, random: Random): Promise<void> {
  const expected = visiblePosts(world, viewer);
  const limit = 1 + Math.floor(random.next() * 40);
  const order = random.pick(orders) ?? 'TOP';
  const whole = await readAll(ask, 'posts', `sort: ${order}, limit: ${limit}`, POST_FIELDS);
  same(
    whole,
    inOrder(world, order, expected).map((post) => showPost(world, viewer, post)),
    `posts by ${order}`,
  );
  const trending: { id: string }[] = await readAll(ask, 'posts', 'sort: TRENDING, limit: 100', 'id');
  const places = new Map(trending.map(({ id }, place) => [id, place]));
  assert.equal(trending.length, expected.length, 'posts by TRENDING');
  const net = (post: Post) => liveVotes(post, 'UP') - liveVotes(post, 'DOWN');
  for (const equals of Map.groupBy(inOrder(world, 'NEWEST', expected), net).values()) {
    const found = equals.map(({ id }) => places.get(id) ?? -1);
    same(
      found,
      found.toSorted((a, b) => a - b),
      'posts by TRENDING with as many votes',
    );
  }
  const { roadmap } = await ask('{ roadmap { status { id } posts(limit: 100) { nodes { id } hasMore } } }');
  const columns = roadmapOf(world, viewer).map((status) => ({
    status: { id: status.id },
    posts: firstHundred(
      inOrder(
        world,
        'TOP',
        postsIn(world, viewer, (post) => post.status === status),
      ),
    ),
  }));
  same(roadmap, columns, 'roadmap');
}

/** What hangs on a post. */
export async function observePost(world: World, viewer: Person, ask: Ask, post: Post): Promise<void> {
  const found = await ask(
    `query($id: String!, $number: Int!) { byNumber: postByNumber(number: $number) { id } post(id: $id) {
      assignments(limit: 100) { nodes { user { ssoId } assignedBy { ssoId } } }
      subscribers(limit: 100) { totalCount nodes { id } }
      votes(limit: 100) { nodes { user { ssoId } } }
      comments(limit: 100) { nodes { id } hasMore }
    } }`,
    { id: post.id, number: post.number },
  );
  same(found.byNumber, { id: post.id }, `post with the number ${post.number}`);
  const followers = post.mergedInto ? [] : followersOf(post);
  const seen = byId(followers.filter((person) => isTeam(viewer) || person === viewer));
  const assignments = isTeam(viewer) ? [...post.assignees] : [];
  const comments = byDate(visibleComments(world, viewer).filter((comment) => comment.post === post));
  const expected = {
    assignments: {
      nodes: assignments
        .toSorted(([a], [b]) => (a.id < b.id ? -1 : 1))
        .map(([user, by]) => ({ user: { ssoId: user.ssoId }, assignedBy: known(by) && { ssoId: by.ssoId } })),
    },
    subscribers: { totalCount: seen.length, nodes: seen.map(({ id }) => ({ id })) },
    votes: {
      nodes: post.mergedInto
        ? []
        : sorted([...post.votes.keys()].map((person) => ({ user: known(person) && { ssoId: person.ssoId } }))),
    },
    comments: { nodes: comments.slice(0, 100).map(({ id }) => ({ id })), hasMore: comments.length > 100 },
  };
  same({ ...found.post, votes: { nodes: sorted(found.post.votes.nodes) } }, expected, `post ${post.key}`);
}
