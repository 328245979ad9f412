import type { Random } from '../crash/random.ts';
import { texts as fieldTexts } from './properties.ts';
import { AGO, BOARD, REFERENCE, type World } from './world.ts';

/** Chooses arguments: mostly such as make sense in this world, sometimes others. */
export type Picker = ReturnType<typeof makePicker>;

const texts = [
  'Dark mode',
  'Größe der Schrift',
  '更大的字',
  'أكبر 🌒',
  ' padded ',
  'e\u0301',
  '"quotes" & <b>',
  'two\nlines',
];
const wrongTexts = ['', '  \n', 'a\u0007b', '\ud800'];

export function makePicker(world: World, random: Random) {
  const chance = (share: number) => random.next() < share;
  const one = <T>(values: readonly T[]): T => {
    const value = random.pick(values);
    if (value === undefined) throw new Error('There is nothing to choose from');
    return value;
  };
  const foreignId = () => `${REFERENCE}${one([...world.foreignIds.keys()])}`;
  const reference = (list: readonly { key: string }[]) => {
    if (list.length === 0 || chance(0.03)) return foreignId();
    // What is new is chosen more often, so that much comes together on it.
    const recent = chance(0.6) ? list.slice(-8) : list;
    return `${REFERENCE}${one(recent).key}`;
  };
  const text = (max: number) => {
    if (chance(0.02)) return one([...wrongTexts, 'x'.repeat(max + 1)]);
    return chance(0.02) ? 'x'.repeat(max) : `${one(texts)} ${random.text().slice(0, 4)}`.slice(0, max);
  };
  return {
    chance,
    one,
    text,
    /** A value with this chance, else nothing. */
    maybe: <T>(share: number, make: () => T): T | undefined => (chance(share) ? make() : undefined),
    number: (below: number) => Math.floor(random.next() * below),
    post: () => reference(world.posts),
    entry: () => reference(world.entries),
    comment: () => reference(world.comments.filter(({ id }) => id !== '')),
    tag: () => reference(world.tags),
    status: () => reference(world.statuses),
    field: () => reference(world.fields),
    board: () => `${REFERENCE}${BOARD}`,
    /** What a post may have in a field; required ones are filled in more often than not. */
    properties: (share: number) => {
      const given = world.fields.filter(({ isRequired }) => chance(isRequired ? 0.8 : share)).slice(0, 20);
      if (given.length === 0) return undefined;
      return given.map(({ key, type }) => ({
        parent: `${REFERENCE}${key}`,
        values: Array.from({ length: type === 'SELECTION_MULTI' ? 2 : 1 }, () => one(fieldTexts[type])),
      }));
    },
    person: () => {
      const { ssoId, email, key } = one(world.people);
      if (chance(0.04))
        return one<object>([{}, { id: foreignId() }, { ssotype: 'SSO' }, { ssotype: 'SSO', userId: 'no' }]);
      if (email !== null && chance(0.2)) return { email: email.toUpperCase() };
      return chance(0.5) ? { id: `${REFERENCE}${key}` } : { ssotype: 'SSO', userId: ssoId };
    },
    /** An instant: mostly before now. */
    date: () => `${AGO}${chance(0.1) ? -60_000 : 1_000 * Math.floor(random.next() * 10_000)}`,
  };
}
