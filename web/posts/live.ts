import { useEffect, useState, useSyncExternalStore } from 'react';
import { browserPrefix } from '../lib/prefix.ts';
import { useFrame } from '../parts/requests/locale.ts';
import type { StatusView } from './statuses.ts';

/** What the stream says of a post; the team also gets what other viewers do not. */
type Message = {
  number: number;
  votes: number;
  comments: number;
  statusId: string;
  hiddenComments?: number;
  /** Names of other members of the team who have it open, and how many more there are. */
  open?: readonly string[];
  more?: number;
};
/** The current state of a post that is shown. A status that was added after the page was loaded is not known. */
type News = Omit<Message, 'statusId'> & { statusId?: string; status?: StatusView };
type Status = StatusView & { id: string };

/** The page and its files come first. */
const IDLE_MS = 2_000;
/** Average pause before the next attempt when the server has no room or does not respond. */
const PAUSE_MS = 60_000;
/** Maximum number of posts of one stream. */
const MOST = 100;

const news = new Map<number, News>();
const listeners = new Set<() => void>();

/**
 * Follows the posts on a page while it is visible, from when it is idle. The widget and exports are not live.
 * @param posts from the page's loader: each time that they are loaded, a new stream begins
 * @param open the number of the one that the page is about, which other members of the team see
 */
export function useLive(posts: readonly { number: number }[], statuses: readonly Status[], open?: number): void {
  const frame = useFrame();
  const pid = frame && !frame.isStatic && !frame.isEmbedded ? frame.board.pid : null;
  useEffect(() => {
    if (pid === null || posts.length === 0) return;
    const numbers = posts.slice(0, MOST).map(({ number }) => number);
    const known = new Map(statuses.map((status) => [status.id, status]));
    let end = () => {};
    const timer = setTimeout(() => {
      const url = `${browserPrefix()}/b/${pid}/live?posts=${numbers}${open ? `&open=${open}` : ''}`;
      end = follow(url, ({ statusId, ...facts }) => {
        const status = known.get(statusId);
        news.set(facts.number, { ...facts, ...(status && { statusId, status }) });
        for (const listener of listeners) listener();
      });
    }, IDLE_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [pid, posts, statuses, open]);
}

/** Reads a stream while the page is visible; the browser reconnects by itself. @returns a stop function */
function follow(url: string, hear: (message: Message) => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    source?.close();
  };
  const begin = () => {
    end();
    if (document.hidden) return;
    const opened = new EventSource(url);
    source = opened;
    opened.onmessage = ({ data }) => hear(JSON.parse(data));
    opened.onerror = () => {
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(begin, PAUSE_MS * (0.5 + Math.random()));
    };
  };
  document.addEventListener('visibilitychange', begin);
  begin();
  return () => {
    document.removeEventListener('visibilitychange', begin);
    end();
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The last message about a post. */
export function useHeard(number: number): News | undefined {
  return useSyncExternalStore(
    subscribe,
    () => news.get(number),
    () => undefined,
  );
}

/** The current state of a post: from the loader of its page, or newer from the stream. */
export function useNow<Post extends { number: number; votes: number; comments: number }>(post: Post): Post {
  return { ...post, ...useNewest(post.number, [post]) };
}

type Newest = { sources: readonly unknown[]; heard: News | undefined; newest: News | undefined };

/**
 * The state of a post from the stream, unless one of the page's own sources has changed since it came.
 * @param isHeld keeps the result as it is for now
 */
export function useNewest(number: number, sources: readonly unknown[], isHeld = false): News | undefined {
  const heard = useHeard(number);
  const [last, setLast] = useState<Newest>({ sources, heard, newest: undefined });
  const hasChanged = sources.some((source, index) => source !== last.sources[index]);
  if (isHeld || (!hasChanged && heard === last.heard)) return last.newest;
  const newest = hasChanged ? undefined : heard;
  setLast({ sources, heard, newest });
  return newest;
}
