import { hash } from 'node:crypto';

/** A page of the server that becomes a page of the site. */
export type LivePage = {
  /** Its path and query on the server. */
  path: string;
  /** The folder of its list or post in the site, with a slash at the end; empty for the first page of the board. */
  base: string;
  /** Which page of the list or of the discussion it is, counted from 1. */
  number: number;
};

/** The folder of a page in the site. */
export function folderOf({ base, number }: Pick<LivePage, 'base' | 'number'>): string {
  return number === 1 ? base : `${base}page-${number}/`;
}

/** What is one file on both sides. */
const FILES = new Set(['/posts.atom', '/changelog.atom', '/picture.png']);

/**
 * Where a page of the board stands in the site: a folder, or a file; null for what is not in it. Posts are named by
 * their numbers alone, so that a new title moves no file, and a removed one stays in no file name.
 * @param from the page that links it: the next page of a list is known by a cursor, which names no number
 */
export function addressOf(pid: string, pathname: string, searchParams: URLSearchParams, from: LivePage): string | null {
  const home = `/b/${pid}`;
  if (pathname !== home && !pathname.startsWith(`${home}/`)) return null;
  const path = pathname.slice(home.length).replace(/\/$/, '');
  if (FILES.has(path)) return path.slice(1);
  const base = baseOf(path, searchParams);
  const after = searchParams.get('after');
  if (base === null || after === null) return base;
  const isItself = after === new URLSearchParams(from.path.split('?')[1]).get('after');
  return folderOf({ base, number: isItself ? from.number : from.number + 1 });
}

function baseOf(path: string, params: URLSearchParams): string | null {
  if (path === '') return listFolder(params);
  if (path === '/roadmap' || path === '/changelog') return `${path.slice(1)}/`;
  const [, kind, number] = /^\/(posts|changelog)\/(\d+)(?:\/[^/.]*)?$/.exec(path) ?? [];
  return kind === undefined ? null : `${kind}/${Number(number)}/`;
}

/** The site has a list for each order, status and tag, and one of all ideas, but none of several filters. */
function listFolder(params: URLSearchParams): string {
  const [status, tag, sort] = ['status', 'tag', 'sort'].map((name) => params.get(name));
  if (status) return `ideas/status-${fileNameOf(status)}/`;
  if (tag) return `ideas/tag-${fileNameOf(tag)}/`;
  if (params.get('show') === 'all') return 'ideas/all/';
  return sort === 'top' || sort === 'new' ? `ideas/${sort}/` : '';
}

/** A name that every file system takes, for a slug in any script and of any length. */
function fileNameOf(slug: string): string {
  return /^[a-z\d][a-z\d-]{0,58}[a-z\d]$|^[a-z\d]$/.test(slug) ? slug : hash('sha256', slug, 'hex').slice(0, 16);
}

/** A link from one page of the site to another; it names the file, so that it also works without a server. */
export function relativeTo(folder: string, address: string): string {
  const up = '../'.repeat(folder.split('/').length - 1);
  return up + address + (address === '' || address.endsWith('/') ? 'index.html' : '');
}

/** Endings by which no web server takes a file for a page or a script. */
const SAFE_ENDING =
  /\.(png|apng|jpe?g|gif|webp|avif|ico|pdf|txt|log|md|csv|tsv|json|zip|gz|docx|xlsx|pptx|odt|ods|odp|mp4|webm|mp3|ogg)$/;

/** The name of a copy of an uploaded file, from its path on the server: `/files/BOARD/ID/TOKEN/NAME`. */
export function copyNameOf(path: string): string {
  const [id = '', , name = ''] = path.split('/').slice(-3);
  return `${id.replace(/[^\w-]/g, '')}${SAFE_ENDING.exec(name.toLowerCase())?.[0] ?? '.bin'}`;
}
