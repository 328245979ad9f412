import type { TestContext } from 'node:test';
import { onEnd } from './cleanup.ts';

/** Shorter texts cost nothing however they are made; passwords are among them, which better-auth normalises itself. */
const SHORT = 129;
const MARKS = /(?:(?!\u034f)[\p{M}\uff9e\uff9f])+/gu;

/**
 * Watches what this process normalises until the test ends: to sort marks in a row takes quadratic time, so how many
 * there were tells what a text has cost, on a machine of any speed.
 * @returns a function that gives the most marks in a row so far, and begins anew
 */
export function watchNormalizing(t: TestContext): () => number {
  const normalize = String.prototype.normalize;
  let longest = 0;
  String.prototype.normalize = function (this: string, form) {
    const runs = this.length > SHORT ? (this.match(MARKS) ?? []) : [];
    longest = Math.max(longest, ...runs.map((run) => run.length));
    return normalize.call(this, form);
  };
  onEnd(t, () => {
    String.prototype.normalize = normalize;
  });
  return () => {
    const seen = longest;
    longest = 0;
    return seen;
  };
}
