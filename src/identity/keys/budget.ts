import type { Db } from '../../platform/db/db.ts';
import { badRequest, forbidden } from '../../platform/errors.ts';
import { type Clock, DAY_MS } from '../../platform/lib/clock.ts';
import { type Spending, spend, spentOf } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import type { ServiceContext } from '../users/request-context.ts';

/**
 * What a key may change, besides its rate limits; null: no limit of its own. The owner of an agent sets it, so that one that
 * is led astray can do little.
 */
export type KeyBudget = {
  /** Changes in 24 hours: mutations, calls of tools that write, uploads. */
  operations: number | null;
  /** Votes in 24 hours, for and against, its own and those for others. */
  votes: number | null;
  /** Ids of the only tags that it may put on ideas, or take from them; then it may not manage tags either. */
  tags: readonly string[] | null;
};

export const NO_BUDGET: KeyBudget = { operations: null, votes: null, tags: null };

/** The highest number that a budget can have. */
export const MAX_BUDGET = 1_000_000;

/** A budget as the store has it, see `storeBudget`. */
export function readBudget(stored: string | null): KeyBudget {
  return stored === null ? NO_BUDGET : { ...NO_BUDGET, ...JSON.parse(stored) };
}

/** A budget as text; null if it limits nothing. @throws BAD_REQUEST for a number that is none */
export function storeBudget(budget: KeyBudget): string | null {
  for (const name of ['operations', 'votes'] as const) {
    const most = budget[name];
    if (most === null || (Number.isInteger(most) && most >= 0 && most <= MAX_BUDGET)) continue;
    throw badRequest(msg('keyBudgetInvalid', MAX_BUDGET), name);
  }
  return Object.values(budget).every((limit) => limit === null) ? null : JSON.stringify(budget);
}

type Budgeted = { id: string; budget: KeyBudget };

/** What a request costs: its changes, and the votes among them. */
export type Cost = { operations: number; votes: number };

/** The mutations that cast a vote; a test names those that are new. */
const VOTING = ['upvotePost', 'downvotePost'];

/** What a document costs that has these mutations. */
export function costOf(mutations: readonly string[]): Cost {
  return { operations: mutations.length, votes: mutations.filter((name) => VOTING.includes(name)).length };
}

/**
 * Takes what a request costs from the budget of its key, before it runs: what is tried counts, whether it succeeds or not.
 * In the store, so for all processes and across restarts. Costs nothing for a key without a budget.
 * @throws RATE_LIMIT_EXCEEDED if too little is left: then nothing is taken
 */
export async function takeFromBudget(
  { db, clock }: { db: Db; clock: Clock },
  key: Budgeted,
  cost: Cost,
): Promise<void> {
  const spendings = spendingsOf(key, cost).filter(({ amount }) => amount > 0);
  if (spendings.length > 0) await spend(db, clock, spendings, DAY_MS);
}

/** How much of its budget a key has used in the current 24 hours, which begin with the first use. */
export async function findSpent({ db, clock }: { db: Db; clock: Clock }, key: { id: string }): Promise<Cost> {
  const [operations = 0, votes = 0] = await Promise.all(
    [`operations of ${key.id}`, `votes of ${key.id}`].map((subject) => spentOf(db, clock, subject)),
  );
  return { operations, votes };
}

function spendingsOf({ id, budget }: Budgeted, { operations, votes }: Cost): Spending[] {
  const all = [
    { subject: `operations of ${id}`, amount: operations, most: budget.operations, words: 'changes' },
    { subject: `votes of ${id}`, amount: votes, most: budget.votes, words: 'votes' },
  ];
  return all.flatMap(({ most, words, ...rest }) =>
    most === null ? [] : [{ ...rest, most, refusal: `The budget of this API key allows ${most} ${words} in 24 hours` }],
  );
}

/** @throws FORBIDDEN if the key may not put these tags on ideas, or take them away */
export function requireTaggable({ operation }: ServiceContext, tags: readonly { id: string; name: string }[]): void {
  const allowed = operation?.tags;
  const refused = allowed && tags.find(({ id }) => !allowed.includes(id));
  if (refused) throw forbidden(`The budget of this API key does not allow the tag ${JSON.stringify(refused.name)}`);
}

/** @throws FORBIDDEN if the key is limited to some tags */
export function requireTagManager({ operation }: ServiceContext): void {
  if (operation?.tags) throw forbidden('The budget of this API key allows some tags only, so it may not manage tags');
}
