import assert from 'node:assert/strict';
import type { Random } from '../../crash/random.ts';

export const visibilities = ['PUBLIC', 'TEAM', 'HIDDEN'] as const;
export type Visibility = (typeof visibilities)[number];

/** What each kind of viewer sees. */
export const seenBy = { outsider: [], member: ['PUBLIC'], moderator: ['PUBLIC', 'TEAM'] } as const;
export type Scope = keyof typeof seenBy;

/** Every text, file and name of one of these has its word, and nothing else has it. */
type Secret = { id: string; word: string };
/** Its name is no secret: everyone sees the statuses of a board. */
export type Status = { id: string; name: string; visibility: Visibility; type: string };
export type Idea = Secret & {
  number: number;
  status: Status;
  mergedInto: Idea | null;
  deletedAt: number | null;
  isGone: boolean;
};
/** A comment; `home` is where it is while that idea is merged into no other one. */
export type Remark = Secret & { home: Idea; isInternal: boolean; parent: Remark | null };
/** The address of a file, for everyone or for those who see more, and the word in it. */
export type Address = { url: string; of: Idea | Remark };

/** What there is, and who may see it: written from the documentation alone. */
export class World {
  readonly statuses: Status[] = [];
  readonly ideas: Idea[] = [];
  readonly remarks: Remark[] = [];
  readonly files: Address[] = [];
  readonly random: Random;
  private words = 0;

  constructor(random: Random) {
    this.random = random;
  }

  /** A word that no other text has; `WORD` finds it wherever it is. */
  makeWord(): string {
    const letters = String(this.words++).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '');
    return `zqx${letters}xqz`;
  }

  /** The words that a viewer may see. */
  wordsFor(scope: Scope): Set<string> {
    const shown = [...this.ideas, ...this.remarks].filter((secret) => this.mayShow(scope, secret));
    return new Set(shown.map(({ word }) => word));
  }

  /** What has a word, for a report. */
  nameOf(word: string): string {
    const has = (secret: Secret) => secret.word === word;
    const idea = this.ideas.find(has);
    if (idea) return `idea #${idea.number}`;
    const remark = this.remarks.find(has);
    return remark ? `comment ${word} of #${remark.home.number}, now on #${rootOf(remark.home).number}` : word;
  }

  mayShow(scope: Scope, secret: Idea | Remark): boolean {
    const sees = ({ visibility }: Status) => (seenBy[scope] as readonly Visibility[]).includes(visibility);
    if ('home' in secret)
      return this.mayShow(scope, rootOf(secret.home)) && (!secret.isInternal || scope === 'moderator');
    // The team sees what is deleted, as long as it can bring it back.
    return !secret.isGone && (secret.deletedAt === null || scope === 'moderator') && sees(this.statusOf(secret));
  }

  /** The status that an idea shows. */
  statusOf({ status, mergedInto }: Idea): Status {
    return mergedInto === null ? status : this.merged;
  }

  get merged(): Status {
    return this.statuses.find(({ type }) => type === 'MERGED') ?? assert.fail('there is no status MERGED');
  }

  /** Whether more people would see the idea, or its comments, if it were merged. */
  wouldOpen({ status }: Idea, into: Idea): boolean {
    const rank = (other: Status) => visibilities.indexOf(other.visibility);
    return [into.status, this.merged].some((other) => rank(other) < rank(status));
  }
}

export const WORD: RegExp = /zqx[bcdfghjklm]+xqz/gi;

/** The idea that one was merged into in the end, or itself. */
export function rootOf(idea: Idea): Idea {
  return idea.mergedInto === null ? idea : rootOf(idea.mergedInto);
}
