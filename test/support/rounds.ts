/** Set by `npm run test:long`: random, crash and cluster runs go on for long; in `npm test` they have a short pass. */
export const isLong = process.env.TEST_LONG === '1';

/**
 * How many rounds a run of such a test has, whatever a round is there.
 * @param variable of the environment that sets another number, for instance to repeat a run that failed
 */
export function roundsOf(variable: string, rounds: { short: number; long: number }): number {
  return Number(process.env[variable]) || (isLong ? rounds.long : rounds.short);
}
