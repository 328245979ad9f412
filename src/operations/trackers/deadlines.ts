import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';

/** How long a tracker may take, in milliseconds. */
export type TrackerDeadlines = {
  /** For a request as a whole, from looking up its host to the last byte of the response. */
  request: number;
  /** For all requests about one link: less than the time for which a process has it to itself, `CLAIM_MS` of the worker. */
  link: number;
  /** For reading what has changed: in all, and more of it for each page that has come. */
  read: number;
  page: number;
  /** After this time no further link of a tracker is begun, and it counts as slow. */
  turn: number;
};

/** The deadlines of a server. Tests have shorter ones. */
export const DEADLINES: TrackerDeadlines = {
  request: 30 * SECOND_MS,
  link: 120 * SECOND_MS,
  read: MINUTE_MS,
  page: 5 * SECOND_MS,
  turn: 20 * SECOND_MS,
};
