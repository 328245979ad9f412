import { beginOperation } from '../../identity/activity/activity.ts';
import { takeFromBudget } from '../../identity/keys/budget.ts';
import { type CollisionError, withinTransaction } from '../../platform/db/db.ts';
import type { Context } from '../../platform/graphql/context.ts';
import { type Effects, runDry } from '../graphql/dry-run.ts';
import { type Caller, type Run, runOn } from './caller.ts';
import { makeConfirmation, requireConfirmation } from './confirming.ts';

/** What a tool does on the board, in one transaction. */
type Change = (run: Run) => Promise<object>;

type Tried = { dryRun: true; result: object; effects: Effects };

/**
 * Carries a change out as a whole, or with `dryRun` only tries it.
 * @param args the arguments of the tool, whose size counts in a sandbox
 * @param votes how many votes it casts, which count in the budget of the key as the operation does
 */
export async function write(
  caller: Caller,
  args: { dryRun?: boolean | undefined },
  change: Change,
  votes: 0 | 1 = 0,
): Promise<object> {
  if (args.dryRun) return tryOut(caller, change);
  await takeFromBudget(caller.context, caller.context.key, { operations: 1, votes });
  const { budget, context } = caller;
  // The log of what the team did shows by which key.
  const operation = { ...beginOperation(), tags: context.operation?.tags, via: context.key.name };
  const written = { sent: () => JSON.stringify(args).length, kept: () => 0 };
  const result = await budget.within(context.board, written, async () =>
    carryOut(caller, { ...context, operation }, change),
  );
  return { ...result, ...(operation.isRecorded && { operationId: operation.id }) };
}

/**
 * As `write`, for what must not happen by mistake: it is only tried until `confirm` is what a try has returned a short
 * time ago, and what it would do is still the same.
 */
export async function writeConfirmed(
  caller: Caller,
  tool: string,
  { dryRun, confirm, ...args }: { dryRun?: boolean | undefined; confirm?: string | undefined },
  change: Change,
): Promise<object> {
  const tried = await tryOut(caller, change);
  const confirmed = { tool, args, effects: tried.effects };
  if (dryRun || confirm === undefined) return { ...tried, confirm: makeConfirmation(caller.context, confirmed) };
  requireConfirmation(caller.context, confirmed, confirm);
  return write(caller, args, change);
}

async function tryOut(caller: Caller, change: Change): Promise<Tried> {
  const { dryRuns, context } = caller;
  const { result, effects } = await dryRuns.within(context.board.id, () =>
    runDry(context, async (on) => ({ data: await change(runOn(caller, on)) })),
  );
  return { dryRun: true, result: result.data as object, effects };
}

/** All of the change or nothing; a transaction that collides with another one is run again. */
async function carryOut(caller: Caller, context: Context, change: Change): Promise<object> {
  return context.db.transaction(async (tx) => {
    const collisions: CollisionError[] = [];
    const db = withinTransaction(context.db, tx, (error) => collisions.push(error));
    try {
      return await change(runOn(caller, { ...context, db }));
    } catch (error) {
      throw collisions[0] ?? error;
    }
  });
}
