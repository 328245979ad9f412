import type { Change, Finding, OverviewCheck } from '#src/operations/reach/finding.ts';
import { localize } from '../lib/localize.ts';

/** A finding in the language of the page. */
export type FindingView = {
  check: OverviewCheck;
  isRight: boolean | null;
  seen: string;
  why: string | null;
  change: Change | null;
};

export function viewFinding({ check, isRight, seen, why, change }: Finding): FindingView {
  return { check, isRight, seen: localize(seen.text, seen), why: why && localize(why.text, why), change };
}
