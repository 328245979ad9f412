import type { Arguments } from '../../sdk/src/schema.ts';
import { type Kind, makeRow } from './rows.ts';

/**
 * What an argument takes. In samples, `<post>` stands for the id of a post, and so does the name of any row that a test
 * makes; `<name>` for a name that nothing has.
 */
export type Argument = {
  /** What a call gives that is not about it; a required id is that of a row of its kind, and a required text `T`. */
  sample?: unknown;
  /** What a call gives beside, to try this argument. */
  beside?: object;
  id?: {
    kind: Kind;
    /** Ids of other rows that it does not mind, or that it is for as well. */
    takes: readonly string[];
    /** Whether it takes the ids that nothing has: it is tried last. */
    isNew?: true;
  };
  text?: {
    /** How many characters it may have; without, it is looked up or chosen from and any may be asked for. */
    length?: readonly [min: number, max: number];
    /** A text of so many characters that it takes. */
    make?: (length: number) => string;
  };
  /** Whether clients send it and it changes nothing: whatever it is, it is taken. */
  isIgnored?: true;
};

type Mutations = Arguments['Mutation'];
type Given<A> = { [N in keyof A]?: A[N] | undefined };

/** A mutation with what differs from its sample arguments. */
export type MutationCall = { [K in keyof Mutations]: readonly [name: K, args?: Given<Mutations[K]>] }[keyof Mutations];

/** Something that an operation does, what must be done before it, and what others then do to the same thing. */
export type Undone<A> = { first?: readonly MutationCall[]; does: Given<A>; others: Given<A> | MutationCall };

/** An operation, its arguments, and the rows of the table in docs/api.md that say who may do it with which of them. */
export type Operation<A = never> = {
  args: { readonly [N in keyof A]?: Argument };
  may?: string | Readonly<Record<string, readonly Given<A>[]>>;
};

/** A mutation is undone by `undo`, in ways that a test tries, or it is permanent for a reason that docs/api.md gives. */
export type MutationRecord<A = never> = Operation<A> &
  ({ undone: Readonly<Record<string, Undone<A>>> } | { permanent: string });

export type MutationRecords = { readonly [K in keyof Mutations]: MutationRecord<Mutations[K]> };
export type QueryRecords = { readonly [K in keyof Arguments['Query']]: Operation<Arguments['Query'][K]> };

/** An argument with the id of a row. */
export function id(kind: Kind, takes: readonly string[] = [], more: Argument = {}): Argument {
  return { ...more, id: { kind, takes } };
}

/** An argument with an id for something new. */
export function newId(own: Kind): Argument {
  const kinds = Object.keys(makeRow);
  const everyId = [...kinds, ...kinds.map((what) => `${what} of another board`)];
  const takes = [...everyId, 'an id that nothing has', 'an id of another version'];
  return { id: { kind: 'post', takes: takes.filter((what) => what !== own), isNew: true } };
}

/** An argument with a text of so many characters. */
export function text(min: number, max: number, more: Argument = {}): Argument {
  return { ...more, text: { ...more.text, length: [min, max] } };
}

/** An argument with a text that is looked up or chosen from. */
export function words(more: Argument = {}): Argument {
  return { ...more, text: {} };
}

/** An argument that is no text and no id, and what a call gives. */
export function sample(value: unknown): Argument {
  return { sample: value };
}

/** An argument that changes nothing. */
export const ignored: Argument = { isIgnored: true };

const makeHost = (length: number) =>
  Array.from({ length }, (_, n) => (n % 50 === 49 && n < length - 1 ? '.' : 'b')).join('');
export const email: Argument = text(3, 254, { text: { make: (length) => `a@${makeHost(length - 2)}` } });
export const emailWithDot = { make: (length: number) => `a@${makeHost(length - 4)}.c` };
export const address: Argument = text(9, 2_048, {
  text: { make: (length) => `https://${'a'.repeat(Math.max(0, length - 8))}` },
});
export const title: Argument = text(1, 200);
export const name: Argument = text(1, 50, { sample: '<name>' });

/** Rows of the table in docs/api.md that several operations are in. */
export const rows = {
  takePart: 'post, comment, reply, vote and follow',
  actFor: 'act for other users (`author`, `voter`, `user`) or in the past (`dateCreated`)',
  moderate: 'moderate posts and comments',
  merge: 'merge and unmerge posts',
  assign: 'assign posts, and filter by `assignedTo`',
  issues: 'link issues to posts',
  status: 'choose a status (`changePostStatus`, `createPost(statusId:)`)',
  comment: 'change and delete a comment',
  delete: 'delete and restore a post',
  reactToComment: 'react to comments',
  reactToEntry: 'react to changelog entries',
  statuses: 'create, change, delete and rearrange statuses',
  fields: 'create, change and delete fields',
  tags: 'create, change and delete tags',
  companies: 'register, change and delete companies, and say who belongs to them',
  segments: 'create, change and delete segments',
  views: 'create, change, delete and rearrange views',
  entries: 'write, publish, withdraw and delete changelog entries',
  team: 'invite to the team, change roles and remove team members',
} as const;

export const ann = { ssotype: 'SSO', userId: 'ann' };
export const moderator = { ssotype: 'SSO', userId: 'mod' };
export const past = '2020-01-01T00:00:00.000Z';
