import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import { EMBED, isEmbeddable } from '#src/pages/embeddable.ts';
import { pidOf } from '../lib/next.ts';
import { browserPrefix } from '../lib/prefix.ts';
import { type FromFrame, MAX_JWT, type ToFrame } from '../widget/messages.ts';
import type { HandOver } from './embed.ts';
import { ownPid, takeFormer } from './jar.ts';

/** Connects a page in a frame with the site around it, which has to be one of these origins or our own. */
export function EmbedBridge({ origins }: { origins: readonly string[] }) {
  // Pages of no board, such as signing in, have other ones.
  const [allowed] = useState(origins);
  const [host, setHost] = useState<string | null>(null);
  useRequests(allowed, setHost);
  useOwnWindows();
  const { pathname } = useLocation();
  useEffect(() => {
    if (host === null) return;
    if (/\/changelog\b/.test(pathname)) {
      tell(host, { earshot: 'seen' });
      showNews(0);
    }
    const onKey = (event: KeyboardEvent) => {
      const isTaken = event.defaultPrevented || document.querySelector('dialog[open], :popover-open') !== null;
      if (event.key === 'Escape' && !isTaken) tell(host, { earshot: 'close' });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [host, pathname]);
  return null;
}

/** The count beside the link to the changelog, which the styles of the frame show. */
function showNews(count: number): void {
  const { style } = document.documentElement;
  if (count > 0) style.setProperty('--news', `"${count}"`);
  else style.removeProperty('--news');
}

function tell(origin: string, message: FromFrame): void {
  window.parent.postMessage(message, origin);
}

/** Does what the site around the frame asks for; messages from elsewhere are ignored. */
function useRequests(allowed: readonly string[], setHost: (origin: string) => void): void {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    // One after the other: the last one decides, in whatever order the server answers.
    let last: Promise<unknown> = Promise.resolve();
    async function onMessage({ source, origin, data }: MessageEvent<unknown>) {
      const isAllowed = allowed.includes(origin) || origin === window.location.origin;
      if (source !== window.parent || !isAllowed || !isRequest(data)) return;
      setHost(origin);
      if (data.earshot === 'hello') showNews(data.news);
      if (data.earshot === 'show' && isOfOwnBoard(data.path)) await navigate(data.path);
      if (data.earshot !== 'identify' && data.earshot !== 'logout') return;
      const turn = last.then(() => handOver(data)).catch(String);
      last = turn;
      const error = await turn;
      await revalidate();
      tell(origin, { earshot: 'done', call: data.call, error });
    }
    window.addEventListener('message', onMessage);
    tell('*', { earshot: 'ready' });
    return () => window.removeEventListener('message', onMessage);
  }, [allowed, setHost, navigate, revalidate]);
}

/** Whether a message is one that we know, with all that it needs. */
function isRequest(data: unknown): data is ToFrame {
  if (typeof data !== 'object' || data === null || !('earshot' in data)) return false;
  const { earshot, jwt, path, news } = data as Record<string, unknown>;
  if (earshot === 'identify') return typeof jwt === 'string' && jwt.length <= MAX_JWT;
  if (earshot === 'show') return typeof path === 'string' && path.length <= 2_000;
  return (earshot === 'hello' && typeof news === 'number') || earshot === 'logout';
}

/** Whether a path is a page of the frame's own board: the site around it may frame no other. */
function isOfOwnBoard(path: string): boolean {
  const page = path.split(/[?#]/, 1)[0] ?? '';
  return isEmbeddable(page) && pidOf(page) === ownPid();
}

/** Exchanges a token for a session, or ends it. @returns what is wrong */
async function handOver(asked: Extract<ToFrame, { earshot: 'identify' | 'logout' }>): Promise<string | null> {
  takeFormer();
  const form = asked.earshot === 'identify' ? { token: asked.jwt } : { intent: 'sign-out' };
  const response = await fetch(`${browserPrefix()}/b/${ownPid()}/embed`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  if (!response.ok) return `The server has answered ${response.status}`;
  return ((await response.json()) as HandOver).refusal;
}

/** Links to anything else than pages of the frame open a window of their own. */
function useOwnWindows(): void {
  useEffect(() => {
    function onClick(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
      if (!link || !/^https?:$/.test(link.protocol)) return;
      const isOwn = link.origin === window.location.origin;
      const prefix = browserPrefix();
      const frames = prefix + EMBED;
      const path = isOwn && link.pathname.startsWith(`${frames}/`) ? link.pathname.slice(frames.length) : null;
      if (path !== null && isEmbeddable(path)) return;
      event.preventDefault();
      event.stopPropagation();
      window.open(
        isOwn ? (path === null ? link.pathname : prefix + path) + link.search + link.hash : link.href,
        '_blank',
        'noopener',
      );
    }
    window.addEventListener('click', onClick, true);
    return () => window.removeEventListener('click', onClick, true);
  }, []);
}
