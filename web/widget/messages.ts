/** What the page around the widget and the page in its frame tell each other with `postMessage`. */
export type ToFrame =
  /** The first message: the frame answers only to the origin from which it came. `news`: how many entries are unread. */
  | { earshot: 'hello'; news: number }
  | { earshot: 'identify'; jwt: string; call: number }
  | { earshot: 'logout'; call: number }
  /** Go to a page of the board. */
  | { earshot: 'show'; path: string };

export type FromFrame =
  /** Sent to any origin that could frame the page; the others only to the one that has said hello. */
  | { earshot: 'ready' }
  | { earshot: 'done'; call: number; error: string | null }
  | { earshot: 'close' }
  /** The visitor has the changelog before them. */
  | { earshot: 'seen' };

/** Tokens are at most as long as an address may be. */
export const MAX_JWT = 8_000;
