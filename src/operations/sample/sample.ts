import type { ChangelogLabel } from '../../feedback/changelog/entries.ts';

/** A sequence of numbers from 0 up to 1 that is the same for the same seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How many sample posts the setup of a board adds. */
export const SETUP_POSTS = 12;

const people = [
  'Ana Ruiz',
  'Ben Okafor',
  'Chen Wei',
  'Dana Levi',
  'Emil Novák',
  'Fatima Zahra',
  'Greta Lindqvist',
  'Hiro Tanaka',
  'Ines Moreau',
  'Jonas Weber',
  'Kavya Rao',
  'Liam Byrne',
];
const verbs = ['Add', 'Improve', 'Allow', 'Show', 'Remember', 'Speed up', 'Translate', 'Sort', 'Export', 'Hide'];
const things = [
  'dark mode',
  'the export to CSV',
  'keyboard shortcuts',
  'email notifications',
  'the mobile layout',
  'search results',
  'user avatars',
  'the weekly report',
  'two-factor sign-in',
  'the calendar view',
  'saved filters',
  'image uploads',
];
const places = [
  'on the dashboard',
  'in the settings',
  'for guests',
  'on small screens',
  'for large teams',
  'in the editor',
  'for admins',
  'when offline',
];
const reasons = [
  'We do this by hand every Monday and it takes an hour.',
  'Our customers ask for it in almost every call.',
  'It works elsewhere, so people look for it here.',
  'Without it we keep a spreadsheet next to the product.',
  'It would save each of us a few clicks a hundred times a day.',
];
const replies = [
  'Same here, we need this.',
  'Even a workaround would help.',
  'How would this work on a phone?',
  'We would test this with our team.',
];

/** Where a sample post stands: completed, in the nth of the board's own statuses, or new. */
export type Stage = 'COMPLETED' | number | null;

/** Of the first posts, so that the roadmap has something in each column; those of the changelog are completed. */
const stages: readonly Stage[] = ['COMPLETED', 'COMPLETED', 'COMPLETED', 1, 0, 0, 1];

type SamplePost = {
  title: string;
  text: string;
  /** Index into the people. */
  author: number;
  voters: number[];
  comments: { author: number; text: string }[];
  stage: Stage;
  /** How long ago, as a fraction of a year from 0 to 1. */
  age: number;
};

/** Names of the people who write the sample posts. */
export const samplePeople: readonly string[] = people;

/** The nth of the sample posts: the same on every run. */
export function makeSamplePost(n: number): SamplePost {
  const random = makeRandom(n + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const person = () => Math.floor(random() * people.length);
  return {
    title: `${pick(verbs)} ${pick(things)} ${pick(places)}`,
    text: `${pick(reasons)}\n\n${pick(reasons)}`,
    author: person(),
    // Few ideas have many votes: the square makes it so.
    voters: Array.from({ length: Math.floor(random() ** 2 * people.length) }, (_, voter) => voter),
    comments: Array.from({ length: Math.floor(random() ** 2 * 4) }, () => ({ author: person(), text: pick(replies) })),
    age: random(),
    stage: stages[n] ?? null,
  };
}

/** An entry of the changelog, and the numbers of the sample posts that it completes. */
type SampleEntry = { title: string; text: string; labels: readonly ChangelogLabel[]; posts: readonly number[] };

/** The entries of the changelog, the oldest first. */
export const sampleEntries: readonly SampleEntry[] = [
  {
    title: 'Fourteen small things',
    text: '- The calendar keeps its zoom when something is added.\n- Names with an apostrophe are no longer cut.\n- One email a day instead of one for each change, if you like.',
    labels: ['FIXED'],
    posts: [],
  },
  {
    title: 'Paste a table, get a list',
    text: 'Copy rows from **any spreadsheet** and paste them into a list. Columns that you name are found automatically.',
    labels: ['IMPROVED'],
    posts: [2],
  },
  {
    title: 'Dark mode, charts included',
    text: 'The whole app follows your system now: boards, reports, even the preview of a print.\n\nYou can still choose in the settings.',
    labels: ['NEW'],
    posts: [0, 1],
  },
];
