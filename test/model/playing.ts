import assert from 'node:assert/strict';
import { getNamedType } from 'graphql';
import { setRole } from '../../src/identity/users/users.ts';
import { makeRandom } from '../crash/random.ts';
import type { TestApp } from '../support/app.ts';
import { everyLeaf, type Fields, mutationNames, rootFields, writeCall } from '../support/schema.ts';
import { observe } from './observing/observing.ts';
import { same } from './observing/reading.ts';
import type { Any, Operation } from './operation.ts';
import { changelogOperations } from './operations/changelog.ts';
import { commentOperations } from './operations/comments.ts';
import { erasingOperations } from './operations/erasing.ts';
import { fieldOperations } from './operations/fields.ts';
import { mergeOperations } from './operations/merging.ts';
import { peopleOperations } from './operations/people.ts';
import { postOperations } from './operations/posts.ts';
import { statusOperations } from './operations/statuses.ts';
import { tagOperations } from './operations/tags.ts';
import { teamOperations } from './operations/team.ts';
import { voteOperations } from './operations/votes.ts';
import { makePicker } from './picker.ts';
import { showComment, showPost } from './showing.ts';
import { type ForeignIds, type Person, type Role, World } from './world.ts';

export const operations: Record<string, Operation> = {
  ...postOperations,
  ...commentOperations,
  ...voteOperations,
  ...mergeOperations,
  ...tagOperations,
  ...peopleOperations,
  ...teamOperations,
  ...statusOperations,
  ...fieldOperations,
  ...erasingOperations,
  ...changelogOperations,
};

const deck = Object.entries(operations)
  .filter(([name]) => mutationNames.includes(name))
  .flatMap(([name, { weight }]) => Array<string>(weight).fill(name));

/** What is asked of an answer beside its own values, by its type. */
const more: Readonly<Record<string, Fields>> = {
  Comment: { user: { ssoId: true }, post: { id: true }, reactions: { reaction: true, count: true } },
};

/** What is done next: a mutation by a user, a look at everything by every viewer, or nothing for a while. */
export type Step =
  | { kind: 'do'; key: string; as: string | null; name: string; args: Any }
  | { kind: 'look'; seed: number }
  | { kind: 'wait'; milliseconds: number };

const cast: Record<string, Role> = {
  ada: 'OWNER',
  adm: 'ADMIN',
  mod: 'MODERATOR',
  mia: 'MEMBER',
  max: 'MEMBER',
  bot: 'MEMBER',
};

/** A fresh board on the server, and the model of it. */
export type Stage = { world: World; play(step: Step): Promise<void> };

export async function setStage(app: TestApp, foreignIds: ForeignIds): Promise<Stage> {
  const { db, clock } = app;
  const board = await app.makeBoard({ name: 'Model' });
  const key = await app.makeKey({}, board);
  const world = new World(board.id, foreignIds, clock.now);
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  for (const [ssoId, role] of Object.entries(cast)) {
    const isApiUser = ssoId === 'bot';
    const user = await app.api.as({ key, as: null }).createUser({ ssoType: 'SSO', ssoId, name: ssoId, isApiUser });
    await setRole(context, { ssoType: 'SSO', ssoId }, role);
    world.people.push({
      key: `person ${ssoId}`,
      id: user.id,
      ssoId,
      name: ssoId,
      email: null,
      role,
      isApiUser,
      updated: clock.now(),
    });
  }
  const { listStatuses } = await app.ask(
    '{ listStatuses { id name color type postVisibility isOnRoadmap } }',
    {},
    { key },
  );
  for (const status of listStatuses) world.statuses.push({ ...status, key: `status ${status.name}` });

  async function act({ key: stepKey, as, name, args }: Step & { kind: 'do' }): Promise<void> {
    const operation = operations[name];
    const resolved = world.resolve(args);
    const actor = world.people.find(({ ssoId }) => ssoId === as) ?? null;
    if (!operation || !resolved || (as !== null && !actor)) return;
    const { document, variables } = writeCall(name, resolved.value as object, {
      ...everyLeaf(name),
      ...more[typeOf(name)],
    });
    const { data, errors } = await app.gql(document, variables, { key, as });
    const doing = { world, actor: actor as Person, args, key: stepKey };
    const isNobody = actor === null && !operation.isForAnybody;
    const problems = isNobody ? ['BAD_REQUEST'] : operation.problems(doing);
    const code = errors[0]?.extensions.code;
    const label = `${name} as ${as}: ${errors[0]?.message ?? 'done'}`;
    if (problems.length === 0) assert.equal(code, undefined, label);
    else assert.ok(code !== undefined && problems.includes(code), `${label}, not one of ${problems.join(', ')}`);
    if (code !== undefined) return;
    const answer = data[name].node ?? data[name];
    if (operation.answers) assert.equal(answer, operation.answers(doing), label);
    operation.apply({ ...doing, answer });
    compareAnswer(world, actor, name, answer);
    await operation.settle?.(app);
  }

  async function readExport(as: string | null): Promise<string> {
    const headers = { apikey: key, ...(as !== null && { ssotype: 'SSO', ssoid: as }) };
    const url = '/api/jsonl?comments=true&votes=true';
    return (await app.app.inject({ method: 'GET', url, headers })).payload;
  }

  return {
    world,
    async play(step) {
      if (step.kind === 'wait') clock.advance(step.milliseconds);
      else if (step.kind === 'do') await act(step);
      else {
        const random = makeRandom(step.seed);
        for (const as of [...Object.keys(cast), null]) {
          const viewer = world.people.find(({ ssoId }) => ssoId === as) ?? null;
          if (as !== null && viewer === null) continue;
          const ask = (query: string, variables = {}) =>
            app.ask(query, variables as Record<string, unknown>, { key, as });
          await observe(world, viewer, ask, () => readExport(as), random).catch((error: Error) => {
            error.message = `${as ?? 'an anonymous viewer'} sees something else: ${error.message}`;
            throw error;
          });
        }
      }
    },
  };
}

/** What a mutation gave, as far as it was asked for, is what its actor should see of it now. */
function compareAnswer(world: World, actor: Person | null, name: string, answer: Any): void {
  const type = typeOf(name);
  const isPost = type === 'Post' || type === 'UpdatePostPayload';
  const post = isPost ? world.posts.find(({ id }) => id === answer.id) : undefined;
  const comment = type === 'Comment' ? world.comments.find(({ id }) => id === answer.id) : undefined;
  const shown: Any = post ? showPost(world, actor, post) : comment ? showComment(actor, comment) : null;
  if (!shown) return;
  const known = Object.keys(answer).filter((key) => key in shown);
  const [given, expected] = [answer, shown].map((from) => Object.fromEntries(known.map((key) => [key, from[key]])));
  same(expected?.text === null ? { ...given, text: null } : given, expected, name);
}

function typeOf(name: string): string {
  return getNamedType(rootFields[name]?.type)?.name ?? '';
}

/** The next step of a run, as its seed chooses it. */
export function chooseStep(world: World, seed: number, n: number): Step {
  const random = makeRandom(seed + Math.imul(n, 0x9e3779b1));
  if (n % LOOK_EVERY === LOOK_EVERY - 1) return { kind: 'look', seed: random.next() * 2 ** 32 };
  const pick = makePicker(world, random);
  if (pick.chance(0.3)) return { kind: 'wait', milliseconds: pick.one([1, 1_000, 60_000, 3_600_000, 20 * 86_400_000]) };
  for (let tries = 0; ; tries++) {
    const name = pick.one(deck);
    const as = pick.chance(0.02) ? null : pick.one(Object.keys(cast));
    const args = operations[name]?.choose(pick) ?? {};
    // What is refused tells less than what is done, so it is chosen less often.
    const actor = world.people.find(({ ssoId }) => ssoId === as);
    const isRefused = !actor || operations[name]?.problems({ world, actor, args, key: '' }).length !== 0;
    if (!isRefused || tries === 3 || pick.chance(0.15)) return { kind: 'do', key: String(n), as, name, args };
  }
}

const LOOK_EVERY = 25;
