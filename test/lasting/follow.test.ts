import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type Played, playedSources } from '../commands/follow-sources.ts';
import { startFollowing, untilEqual } from '../commands/following.ts';
import { makeRandom, type Random } from '../crash/random.ts';
import { testCommandLine } from '../support/command-line.ts';
import { roundsOf } from '../support/rounds.ts';
import { Troubles } from '../support/troubles.ts';

/** How long a board is followed, in minutes. */
const MINUTES = roundsOf('FOLLOW_MINUTES', { short: 0.1, long: 2 });
/** Between two changes at the old board: half of that to twice that. */
const PAUSE_MS = Math.min(MINUTES * 250, 2_000);
const IDEAS = 60;
/** Of a hundred changes: how many come before the old board is down for a while, and how many before the follower is killed. */
const AWAY_EVERY = 50;
const KILLED_EVERY = 70;
/** The longest outage. */
const AWAY_MS = Math.min(MINUTES * 1_000, 30_000);

testCommandLine(`a board of Canny is followed for ${MINUTES} minutes, and equal at the end`, async (line, t) => {
  const random = makeRandom(20);
  const played = playedSources.canny?.() ?? assert.fail();
  const troubles = new Troubles();
  await line.json('board', 'create', '--name', 'Acme');
  for (let n = 0; n < IDEAS; n++) played.add(`Idea ${n}`);
  const { url } = await played.start(t, troubles);
  let follower = startFollowing(t, line, played, url);
  const counts = { changes: 0, outages: 0, kills: 0 };
  for (const begun = performance.now(); performance.now() - begun < MINUTES * 60_000; counts.changes++) {
    change(played, random);
    await delay(PAUSE_MS * (0.5 + 1.5 * random.next()));
    if (counts.changes % AWAY_EVERY === AWAY_EVERY - 1) {
      troubles.isAway = true;
      await delay(AWAY_MS * random.next());
      troubles.isAway = false;
      counts.outages++;
    }
    if (counts.changes % KILLED_EVERY === KILLED_EVERY - 1) {
      follower.child.kill('SIGKILL');
      await follower.ended;
      follower = startFollowing(t, line, played, url);
      counts.kills++;
    }
  }
  await untilEqual('all that changed is here', line, played.ideas);
  follower.child.kill('SIGTERM');
  const [status] = await follower.ended;
  assert.equal(status, 0, follower.output());
  const ideas = played.ideas();
  const total = (of: (idea: (typeof ideas)[number]) => number) => ideas.reduce((sum, idea) => sum + of(idea), 0);
  const ends = `${ideas.length} ideas, ${total(({ votes }) => votes)} votes, ${total(({ comments }) => comments.length)} comments`;
  console.log(`${counts.changes} changes, ${counts.outages} outages, ${counts.kills} kills: ${ends}`);
});

/** Changes something at the old board. */
function change(played: Played, random: Random): void {
  const count = played.ideas().length;
  const at = Math.floor(random.next() * count);
  random.pick([
    () => played.add(`Idea ${random.text()}`),
    () => played.edit(at, { title: `Idea ${random.text()}` }),
    () => played.edit(at, { text: random.text() }),
    () => played.edit(at, { isDone: true }),
    () => played.comment(at, random.text()),
    () => played.vote(at, Math.floor(random.next() * 1e9)),
    () => played.vote(at, Math.floor(random.next() * 1e9)),
  ])?.();
}
