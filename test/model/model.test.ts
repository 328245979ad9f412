import { type TestApp, testBoth } from '../support/app.ts';
import { roundsOf } from '../support/rounds.ts';
import { chooseStep, type Step, setStage } from './playing.ts';
import { type ForeignIds, REFERENCE } from './world.ts';

/** `MODEL_STEPS=5000 MODEL_SEED=1` for a long run, or the one that failed. */
const STEPS = roundsOf('MODEL_STEPS', { short: 150, long: 5_000 });
const SEED = Number(process.env.MODEL_SEED ?? Math.floor(Math.random() * 2 ** 32));
/** For how long a run that failed is repeated with fewer steps. */
const SHRINK_MS = 20_000;

testBoth(`after any random operations, the board is as documented (MODEL_SEED=${SEED})`, async (app) => {
  const foreignIds = await makeForeignIds(app);
  const stage = await setStage(app, foreignIds);
  const done: Step[] = [];
  for (let n = 0; n < STEPS; n++) {
    const step = chooseStep(stage.world, SEED, n);
    done.push(step);
    try {
      await stage.play(step);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const fewer = await shrink(app, foreignIds, done);
      const steps = fewer.steps.map((one) => JSON.stringify(one)).join('\n');
      throw new Error(
        `MODEL_SEED=${SEED}, step ${n}: ${error.message}\n\nwith fewer steps:\n${steps}\n${fewer.message}`,
      );
    }
  }
});

/** Leaves out steps as long as those that are left still fail. */
async function shrink(app: TestApp, foreignIds: ForeignIds, failing: readonly Step[]) {
  let steps = [...failing];
  let message = '';
  const end = performance.now() + SHRINK_MS;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < steps.length && performance.now() < end; ) {
      const fewer = steps.toSpliced(at, size);
      const failed = await findFailure(app, foreignIds, fewer);
      if (failed === null) at += size;
      else {
        steps = fewer.slice(0, failed.at + 1);
        message = failed.message;
      }
    }
  }
  return { steps, message };
}

async function findFailure(app: TestApp, foreignIds: ForeignIds, steps: readonly Step[]) {
  const stage = await setStage(app, foreignIds);
  for (const [at, step] of steps.entries()) {
    try {
      await stage.play(step);
    } catch (error) {
      return { at, message: String(error) };
    }
  }
  return null;
}

/** Ids that no step may find anything by: of another board, of nothing, and no ids at all. */
async function makeForeignIds({ api, makePost, makeUser }: TestApp): Promise<ForeignIds> {
  const post = await makePost('Elsewhere');
  const tag = await api.createTag({ name: 'Elsewhere' });
  const statuses = await api.listStatuses({ id: true });
  return new Map([
    ['post elsewhere', post],
    ['comment elsewhere', (await api.createComment({ postId: post, text: 'x' })).id],
    ['tag elsewhere', tag.id],
    ['status elsewhere', statuses[1]?.id ?? ''],
    ['person elsewhere', await makeUser('zoe')],
    ['nothing', '01900000-0000-7000-8000-000000000000'],
    ['no id', `no id ${REFERENCE}`],
  ]);
}
