import assert from 'node:assert/strict';
import type { Random } from '../../crash/random.ts';
import type { Viewer } from '../rights.ts';
import {
  byId,
  FIELD_FIELDS,
  firstHundred,
  inOrder,
  postsIn,
  STATUS_FIELDS,
  showFields,
  showPerson,
  showStatus,
  showTag,
  showTeam,
  TAG_FIELDS,
  TEAM_FIELDS,
  USER_FIELDS,
  visiblePosts,
  visibleTags,
} from '../showing.ts';
import type { Person, World } from '../world.ts';
import { observeChangelog } from './changelog.ts';
import { observeChoice, observeField, observeSearch } from './choice.ts';
import { observeConversation } from './conversation.ts';
import { observeExport } from './export.ts';
import { observePost, observePosts } from './posts.ts';
import { type Ask, readAll, same, sorted } from './reading.ts';

/** Reads everything that a viewer can see, and compares it with what they should. */
export async function observe(
  world: World,
  viewer: Viewer,
  ask: Ask,
  readExport: () => Promise<string>,
  random: Random,
): Promise<void> {
  await observeBoard(world, viewer, ask);
  if (viewer !== null) {
    await observePosts(world, viewer, ask, random);
    await observeConversation(world, viewer, ask);
    await observePeople(world, viewer, ask);
    await observeChangelog(world, viewer, ask);
    await observeChoice(world, viewer, ask, random);
    await observeSearch(world, viewer, ask, random);
    await observeField(world, viewer, ask, random);
    const post = random.pick(visiblePosts(world, viewer));
    if (post) await observePost(world, viewer, ask, post);
  }
  await observeExport(world, viewer, await readExport());
}

/** What can be read without a user. */
async function observeBoard(world: World, viewer: Viewer, ask: Ask): Promise<void> {
  const found = await ask(`{
    board { postCount team { ${TEAM_FIELDS} } } listFields { ${FIELD_FIELDS} } listTags { ${TAG_FIELDS} } listStatuses { ${STATUS_FIELDS} posts(limit: 100) { nodes { id } hasMore } }
  }`);
  assert.equal(found.board.postCount, visiblePosts(world, viewer).length, 'board.postCount');
  const fields = showFields(world, viewer);
  assert.deepEqual(found.listFields, fields, 'listFields');
  same(sorted(found.board.team), sorted(showTeam(world, viewer)), 'board.team');
  same(
    found.listTags,
    visibleTags(viewer, world.tags).map((tag) => showTag(world, viewer, tag)),
    'listTags',
  );
  const statuses = world.statuses.map((status) => ({
    ...showStatus(world, status),
    posts: firstHundred(
      inOrder(
        world,
        'NEWEST',
        postsIn(world, viewer, (post) => post.status === status),
      ),
    ),
  }));
  same(found.listStatuses, statuses, 'listStatuses');
}

async function observePeople(world: World, viewer: Person, ask: Ask): Promise<void> {
  const { users } = await ask(`{ users(limit: 100) { ${USER_FIELDS} posts(limit: 1) { totalCount } } }`);
  const expected = byId(world.people).map((person) => ({
    ...showPerson(viewer, person),
    posts: { totalCount: postsIn(world, viewer, ({ author }) => author === person).length },
  }));
  same(users, expected, 'users');
  const paged = await readAll(ask, 'usersPage', 'limit: 4', 'id');
  same(
    paged,
    byId(world.people).map(({ id }) => ({ id })),
    'usersPage',
  );
  const since = world.now() - 3_600_000;
  const changed = world.people.filter((person) => person.updated >= since);
  same(
    await readAll(ask, 'usersPage', `since: "${new Date(since).toISOString()}"`, 'id'),
    changed.toSorted((a, b) => a.updated - b.updated || (a.id < b.id ? -1 : 1)).map(({ id }) => ({ id })),
    'people since an hour',
  );
}
