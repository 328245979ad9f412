import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';

import { indexBoards } from '../../../src/feedback/search/indexer.ts';
import { MINUTE_MS } from '../../../src/platform/lib/clock.ts';
import { makeRandom } from '../../crash/random.ts';
import { makeTestApp } from '../../support/app.ts';
import { addUsers, type Notifying, startNotifying } from '../../support/notifying.ts';
import { roundsOf } from '../../support/rounds.ts';
import { makeSiteFolder, readSite, type TestSite, writeSite } from '../../support/site.ts';
import { engines } from '../../support/store.ts';
import { makeTestWeb, signUp, type TestWeb, type WebVisitor } from '../../support/web.ts';
import { Acting, LATER } from './acting.ts';
import { type Asker, type Door, listApiDoors } from './api-doors.ts';
import { listPageDoors, listPictures } from './page-doors.ts';
import { type Scope, WORD, World } from './world.ts';

const ROUNDS = roundsOf('HIDING_ROUNDS', { short: 1, long: 100 });
const STEPS = 30;
const FEWEST_DOORS = 600;
/** Doors that are tried after each step; all of them are at the end. */
const SAMPLE = 8;

for (const engine of engines) {
  test(`no entry point shows what is hidden, however ideas were merged, moved, deleted and restored [${engine}]`, async (t) => {
    const seed = Number(process.env.HIDING_SEED) || randomInt(2 ** 32);
    for (let round = 0; round < ROUNDS; round++) {
      const name = `HIDING_SEED=${(seed + round) % 2 ** 32}`;
      await t.test(name, (t) => play(t, engine, (seed + round) % 2 ** 32));
    }
  });
}

async function play(t: TestContext, engine: (typeof engines)[number], seed: number): Promise<void> {
  const web = await makeTestWeb(t, engine);
  const stage = await setStage(t, web, engine, new World(makeRandom(seed)));
  const { world, acting, notifying } = stage;
  const wrong: string[] = [];
  for (let n = 0; n < STEPS; n++) {
    await acting.step();
    // Some changes are made while mails about others still wait; after a month none does.
    if (world.random.next() < 0.6 || acting.done.at(-1) === LATER) wrong.push(...(await readMails(notifying, world)));
    const doors = listDoors(stage, 'PUBLIC');
    for (let m = 0; m < SAMPLE; m++) {
      const door = world.random.pick(doors);
      if (door) wrong.push(...(await leaksOf(door, world)));
    }
    if (wrong.length > 0) break;
    // What is still pending is searched in another way than what is in a segment.
    if (n === STEPS / 2) await indexBoards(web, { least: 1 });
  }
  for (const access of ['PUBLIC', 'MEMBERS'] as const) {
    await setBoard(web, { access });
    const doors = listDoors(stage, access);
    if (access === 'PUBLIC') assert.ok(doors.length >= FEWEST_DOORS, `there are only ${doors.length} doors`);
    for (const door of doors) wrong.push(...(await leaksOf(door, world)));
  }
  for (const [path, bytes] of await writePublicSite(stage))
    wrong.push(...leaksIn('the site', path, path + bytes, world, 'member'));
  assert.deepEqual([...new Set(wrong)], [], acting.done.join('\n'));
}

type Stage = {
  web: TestWeb;
  site: TestSite;
  world: World;
  acting: Acting;
  notifying: Notifying;
  visitors: { anonymous: WebVisitor; member: WebVisitor; moderator: WebVisitor };
};

async function setStage(t: TestContext, web: TestWeb, engine: (typeof engines)[number], world: World): Promise<Stage> {
  await addUsers(web, 'ann', 'mia', 'mod');
  await web.makeUser('mod', 'MODERATOR');
  const visitors = {
    anonymous: web.makeVisitor(),
    member: await signUp(web, 'Vera'),
    moderator: await web.makeMember('Mona', 'MODERATOR'),
  };
  const acting = new Acting(web, world);
  await acting.begin();
  // The account becomes a member with its first action.
  await visitors.member.post('/b/acme/votes/1', { vote: 'up' });
  await setBoard(web, { domain: 'ideas.example.com' });
  const notifying = await startNotifying(t, web);
  await notifying.deliverAfter(MINUTE_MS);
  const pages = await makeTestApp(t, engine, { db: web.db, web: true, isStatic: true });
  const folder = makeSiteFolder(t);
  const site = { ...pages, clock: web.clock, board: web.board, folder };
  return { web, world, acting, notifying, visitors, site: { ...site, write: () => writeSite(site, { folder }) } };
}

function setBoard(
  { db, board }: TestWeb,
  values: { access?: 'PUBLIC' | 'MEMBERS'; domain?: string },
): Promise<unknown> {
  return db.transaction((tx) => tx.updateTable('boards').set(values).where('id', '=', board.id).execute());
}

function listDoors({ web, world, visitors }: Stage, access: 'PUBLIC' | 'MEMBERS'): Door[] {
  const anonymous: Asker = { name: 'an anonymous visitor', scope: access === 'PUBLIC' ? 'member' : 'outsider' };
  const pages = listPageDoors(web, world, visitors.anonymous, anonymous);
  if (access === 'MEMBERS') return pages;
  return [
    ...pages,
    ...listPictures(web, world, anonymous),
    ...listPageDoors(web, world, visitors.member, { name: 'a member', scope: 'member' }),
    ...listPageDoors(web, world, visitors.moderator, { name: 'a moderator', scope: 'moderator' }),
    ...listApiDoors(web, world, null, 'member'),
    ...listApiDoors(web, world, 'mia', 'member'),
    ...listApiDoors(web, world, 'mod', 'moderator'),
  ];
}

async function leaksOf({ name, scope, address, open }: Door, world: World): Promise<string[]> {
  return leaksIn(name, address, await open(), world, scope);
}

/** What a text reveals to a viewer who may not see it. */
function leaksIn(name: string, address: string, text: string, world: World, scope: Scope): string[] {
  const seen = world.wordsFor(scope);
  const words = new Set([...text.matchAll(WORD)].map(([word]) => word.toLowerCase()));
  return [...words]
    .filter((word) => !seen.has(word))
    .map((word) => `${name} reads ${world.nameOf(word)} at ${address.slice(0, 300)}`);
}

/** What the mails of the last step tell their readers that they may not see now. */
async function readMails(notifying: Notifying, world: World): Promise<string[]> {
  const mails = await notifying.deliverAfter();
  return mails.flatMap(({ to, raw, text, html, headers }) => {
    const name = to[0]?.split('@')[0] ?? '';
    if (name === 'ada') return [];
    return leaksIn(
      name,
      `a mail “${headers.subject}”`,
      raw + text + html,
      world,
      name === 'mod' || name === 'mona' ? 'moderator' : 'member',
    );
  });
}

async function writePublicSite({ web, site }: Stage): Promise<Map<string, Buffer>> {
  await setBoard(web, { access: 'PUBLIC' });
  await site.write();
  const files = [...readSite(site.folder)].filter(([path]) => !path.startsWith('assets/'));
  return new Map(files);
}
