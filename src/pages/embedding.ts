import type { FastifyRequest } from 'fastify';
import { findBoard } from '../identity/board/board.ts';
import type { Reader } from '../platform/db/db.ts';
import { EMBED, embeddedPid, isChoice, isEmbeddable, JAR_HEADER } from './embeddable.ts';

/** The frame of a page that the widget shows on another site, see docs/decisions/0025-widget.md. */
export type Embed = {
  /** The origins that may frame it besides our own. */
  readonly origins: readonly string[];
  /** The cookies of the frame, as in a `Cookie` header. The browser's own are not read. */
  readonly jar: string;
  /** The language that the other site asks for. */
  readonly locale: string | undefined;
};

/** The address of the widget's frame as documented: that of the board's first page in it. */
const SHORT = /^\/embed\/([\w-]{1,100})\/?(\?.*)?$/;

/** Whether a request is for a page in a frame. */
function isEmbedded({ url }: Pick<FastifyRequest, 'url'>): boolean {
  return url.startsWith(`${EMBED}/`);
}

/** The page that a short address of a frame stands for; null for other addresses. */
export function fullAddress(url: string): string | null {
  const [, pid, query = ''] = SHORT.exec(url) ?? [];
  return pid === undefined || isEmbeddable(`/${pid}`) ? null : `${EMBED}/b/${pid}${query}`;
}

/** The frame of a request; null for pages that no other site may frame. */
export async function findEmbed(reader: Reader, request: FastifyRequest): Promise<Embed | null> {
  if (!isEmbedded(request)) return null;
  const pid = embeddedPid(request.url);
  const board = pid === null ? null : await findBoard(reader, pid);
  const jar = readJar(request);
  const locale = /(?:^|;\s*)language=([\w-]{2,20})/.exec(jar)?.[1];
  return { origins: board?.widget_origins.split(' ').filter(Boolean) ?? [], jar, locale };
}

/** What the frame has sent; its first request, which no script sends, has its choices in the query. */
function readJar({ url, headers }: FastifyRequest): string {
  const sent = headers[JAR_HEADER];
  if (typeof sent === 'string') return sent;
  const query = new URLSearchParams(url.split('?', 2)[1]);
  const choices = ['theme', 'language'].flatMap((name) => {
    const value = query.get(name) ?? '';
    return isChoice(value) ? [`${name}=${value}`] : [];
  });
  return choices.join('; ');
}

/** Puts the cookies of a response, and those set besides, into the header from which the frame takes them. */
export function fillJar({ headers }: Response, cookies: readonly string[]): void {
  const all = [...cookies, ...headers.getSetCookie()];
  headers.delete('set-cookie');
  if (all.length > 0) headers.set(JAR_HEADER, JSON.stringify(all));
}
