import { useEffect, useState, useSyncExternalStore } from 'react';
import { browserPrefix } from '../lib/prefix.ts';
import { useFrame } from '../parts/requests/locale.ts';
import type { StatusView } from './statuses.ts';

/** The current state of a post that is shown. A status that was added after the page was loaded is not known. */
type News = { votes: number; comments: number; statusId?: string; status?: StatusView };
type Message = { number: number; votes: number; comments: number; statusId: string };
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
 * Follows the posts on a page while it is visible, from when it is idle. The widget, exports and private boards are not
 * live.
 * @param posts from the page's loader: each time that they are loaded, a new stream begins
 */
export function useLive(posts: readonly { number: number }[], statuses: readonly Status[]): void {
  const frame = useFrame();
  const pid = frame?.board.hasFeeds && !frame.isStatic && !frame.isEmbedded ? frame.board.pid : null;
  useEffect(() => {
    if (pid === null || posts.length === 0) return;
    const numbers = posts.slice(0, MOST).map(({ number }) => number);
    const known = new Map(statuses.map((status) => [status.id, status]));
    let end = () => {};
    const timer = setTimeout(() => {
      end = follow(`${browserPrefix()}/b/${pid}/live?posts=${numbers}`, ({ number, votes, comments, statusId }) => {
        const status = known.get(statusId);
        news.set(number, { votes, comments, ...(status && { statusId, status }) });
        for (const listener of listeners) listener();
      });
    }, IDLE_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [pid, posts, statuses]);
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
  const heard = useSyncExternalStore(
    subscribe,
    () => news.get(number),
    () => undefined,
  );
  const [last, setLast] = useState<Newest>({ sources, heard, newest: undefined });
  const hasChanged = sources.some((source, index) => source !== last.sources[index]);
  if (isHeld || (!hasChanged && heard === last.heard)) return last.newest;
  const newest = hasChanged ? undefined : heard;
  setLast({ sources, heard, newest });
  return newest;
}
