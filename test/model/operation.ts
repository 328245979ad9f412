import type { TestApp } from '../support/app.ts';
import type { Picker } from './picker.ts';
import { actsForOthers, seesComment, seesPost } from './rights.ts';
import { type Comment, type Person, type Post, stored, type World } from './world.ts';

export type Code = 'BAD_REQUEST' | 'NOT_FOUND' | 'FORBIDDEN' | 'CONFLICT' | 'RATE_LIMIT_EXCEEDED';

// biome-ignore lint/suspicious/noExplicitAny: arguments and answers have every shape
export type Any = any;

/** The step that a mutation is: who does it, with what, and what the server gave for it. */
export type Doing = { world: World; actor: Person; args: Any; key: string; answer: Any };

/** A mutation as the documents describe it. */
export type Operation = {
  /** How often it is chosen, in comparison with the others. */
  weight: number;
  /** Whether it needs no acting user. */
  isForAnybody?: true;
  choose(pick: Picker): Any;
  /** Every reason to refuse it; the server gives one of them. */
  problems(doing: Omit<Doing, 'answer'>): Code[];
  /** Does it, once the server has. */
  apply(doing: Doing): void;
  /** Waits for what it leaves to the background. */
  settle?(app: TestApp): Promise<void>;
  /** Whether it says yes, as things are before it is done. */
  answers?(doing: Omit<Doing, 'answer'>): boolean;
};

/** The post that the actor may see under this name. */
export function postFor({ world, actor }: Pick<Doing, 'world' | 'actor'>, reference: unknown): Post | undefined {
  const post = world.find(world.posts, reference);
  return post && seesPost(actor, post) ? post : undefined;
}

/** The comment that the actor may see under this name. */
export function commentFor({ world, actor }: Pick<Doing, 'world' | 'actor'>, reference: unknown): Comment | undefined {
  const comment = world.find(world.comments, reference);
  return comment && seesComment(actor, comment) ? comment : undefined;
}

/** What is wrong with a text that must have so many characters. */
export function textProblems(text: string | null | undefined, min: number, max: number): Code[] {
  if (text == null) return [];
  const { length } = [...stored(text)];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  const isClean = text.isWellFormed() && !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(stored(text));
  return length >= min && length <= max && isClean ? [] : ['BAD_REQUEST'];
}

/** The person that a `UserRef` names, or what is wrong with it. */
export function personOf(world: World, ref: Any): Person | Code {
  const ways = [ref.id, ref.ssotype ?? ref.userId, ref.email].filter((way) => way != null);
  if (ways.length !== 1 || (ref.ssotype == null) !== (ref.userId == null)) return 'BAD_REQUEST';
  const person =
    ref.id != null
      ? world.find(world.people, ref.id)
      : ref.email != null
        ? world.people.find(({ email }) => email === stored(ref.email).toLowerCase())
        : world.people.find(({ ssoId }) => ref.ssotype === 'SSO' && ssoId === ref.userId);
  return person ?? 'NOT_FOUND';
}

/** What is wrong with acting for another user. */
export function actingProblems({ world, actor }: Pick<Doing, 'world' | 'actor'>, ref: Any): Code[] {
  if (ref == null) return [];
  const person = personOf(world, ref);
  return [...(actsForOthers(actor) ? [] : ['FORBIDDEN' as const]), ...(typeof person === 'string' ? [person] : [])];
}

/** Who a mutation is for: the person named, or the actor. */
export function personFor({ world, actor }: Pick<Doing, 'world' | 'actor'>, ref: Any): Person {
  const person = ref == null ? actor : personOf(world, ref);
  if (typeof person === 'string') throw new Error('A mutation without a user has been carried out');
  return person;
}

/** What is wrong with an instant to act at. */
export function dateProblems({ world, actor }: Pick<Doing, 'world' | 'actor'>, date: string | undefined): Code[] {
  if (date === undefined) return [];
  const isFuture = world.dateOf(date) > world.now();
  return [...(actsForOthers(actor) ? [] : ['FORBIDDEN' as const]), ...(isFuture ? ['BAD_REQUEST' as const] : [])];
}

/** Adds a comment, which has no id yet when the service wrote it. */
export function addComment(
  world: World,
  comment: Partial<Comment> & Pick<Comment, 'key' | 'post' | 'type' | 'author'>,
) {
  const whole: Comment = {
    id: '',
    text: null,
    origin: null,
    about: null,
    parent: null,
    isFirst: false,
    created: world.now(),
    updated: null,
    changed: world.now(),
    deleted: false,
    moderation: 'APPROVED',
    moderator: null,
    isAnnounced: false,
    reactions: new Map(),
    ...comment,
  };
  world.comments.push(whole);
  return whole;
}
