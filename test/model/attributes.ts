import type { Any } from './operation.ts';
import type { Picker } from './picker.ts';

/**
 * What the team sets of a post with `updatePost`: what a new post has, values to try, of which an empty text removes
 * what was there, and whether `post.created` and `post.deleted` contain it.
 */
const attributes = {
  isLocked: { initial: false, tried: [true, false], isInEvents: false },
  isPinned: { initial: false, tried: [true, false], isInEvents: false },
  expected: { initial: null, tried: ['2026-Q3', '2027-01', ''], isInEvents: false },
};

type Table = typeof attributes;
type Name = keyof Table;
export type Attributes = { [Each in Name]: Table[Each]['initial'] extends boolean ? boolean : string | null };

export const attributeNames = Object.keys(attributes) as Name[];
const namesInEvents = attributeNames.filter((name) => attributes[name].isInEvents);

/** The attributes of a new post. */
export function initialAttributes(): Attributes {
  return Object.fromEntries(attributeNames.map((name) => [name, attributes[name].initial])) as Attributes;
}

/** Arguments of `updatePost`, most of them left out. */
export function chooseAttributes(pick: Picker): Any {
  const tried = (name: Name) => pick.one<boolean | string>(attributes[name].tried);
  return Object.fromEntries(attributeNames.map((name) => [name, pick.maybe(0.15, () => tried(name))]));
}

/** Gives a post the attributes that are among the arguments of `updatePost`. */
export function setAttributes(post: Attributes, args: Any): void {
  for (const name of attributeNames) {
    if (args[name] !== undefined) Object.assign(post, { [name]: args[name] === '' ? null : args[name] });
  }
}

/** The attributes of a post, or of its row in an export. */
export function attributesOf(post: Attributes): Attributes {
  return pickFrom(post, attributeNames) as Attributes;
}

/** The attributes of a post that events contain. */
export function attributesInEvents(post: Attributes): Partial<Attributes> {
  return pickFrom(post, namesInEvents);
}

function pickFrom(post: Attributes, names: readonly Name[]): Partial<Attributes> {
  return Object.fromEntries(names.map((name) => [name, post[name]]));
}
