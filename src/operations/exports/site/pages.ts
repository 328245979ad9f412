import { prefixOf, withoutPrefix } from '../../../platform/http/prefix.ts';
import { copyNameOf, folderOf, type LivePage, relativeTo } from './addresses.ts';
import type { SiteFolder } from './folder.ts';
import { escapeMarkup, rewritePage, type SiteAddresses } from './rewriting.ts';

/** What the server responds to a visitor without a session. */
type SiteResponse = { status: number; location: string | null; body: Buffer };

/** Requests a path of the server. */
export type GetPage = (path: string) => Promise<SiteResponse>;

/** What became of the pages of a list or a post. */
type WrittenPages = {
  /** The response to the first of them; nothing was written if its status is not 200. */
  response: SiteResponse;
  /** What of the folder belongs to them. */
  names: Set<string>;
};

/** Programs find the post itself beside its page. */
const ALTERNATES =
  '<link rel="alternate" type="application/json" href="index.json"><link rel="alternate" type="text/markdown" href="index.md">';

/** Writes pages of the server into the folder of a site. */
export class SitePages {
  readonly #folder: SiteFolder;
  readonly #site: SiteAddresses;
  readonly #get: GetPage;

  constructor(folder: SiteFolder, site: SiteAddresses, get: GetPage) {
    this.#folder = folder;
    this.#site = site;
    this.#get = get;
  }

  /**
   * Writes a page and those that follow it.
   * @param onLinks called for each with the pages of the site that it links, and their paths on the server
   */
  async write(
    base: string,
    path: string,
    { head = '', onLinks }: { head?: string; onLinks?: (links: ReadonlyMap<string, string>) => void } = {},
  ): Promise<WrittenPages> {
    const written: WrittenPages = { response: await this.get(path), names: new Set() };
    let { response } = written;
    let next: string | undefined = path;
    for (let number = 1; next !== undefined && response.status === 200; number++) {
      const live: LivePage = { path: next, base, number };
      const page = await this.#writePage(live, response, number === 1 ? head : '');
      onLinks?.(page.links);
      const own = page.files.size > 0 ? ['index.html', 'files'] : ['index.html'];
      if (number > 1) this.#folder.prune(folderOf(live), (name) => own.includes(name));
      for (const name of number > 1 ? [`page-${number}`] : own) written.names.add(name);
      next = page.links.get(folderOf({ base, number: number + 1 }));
      if (next !== undefined) response = await this.get(next);
    }
    return written;
  }

  async #writePage(live: LivePage, { body }: SiteResponse, head: string) {
    const folder = folderOf(live);
    const page = rewritePage(body.toString(), live, this.#site);
    await this.#copyFiles(folder, page.files);
    this.#folder.write(`${folder}index.html`, page.html.replace('</head>', `${head}</head>`));
    return page;
  }

  /** Bytes of a file never change, so a copy that is there is whole. */
  async #copyFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
    for (const [name, path] of files) {
      if (this.#folder.has(`${folder}files/${name}`)) continue;
      const { status, body } = await this.#get(path);
      if (status === 200) this.#folder.write(`${folder}files/${name}`, body);
    }
    if (files.size > 0) this.#folder.prune(`${folder}files/`, (name) => files.has(name));
  }

  /**
   * Writes what visitors find at the address of a post or changelog entry: its page; one that leads to the post that it
   * was merged into; or one that says that there is nothing (any more).
   * @param others the other files of the post, by their names
   */
  async writeSubject(
    base: string,
    path: string,
    others: ReadonlyMap<string, string> = new Map(),
  ): Promise<'page' | 'moved' | 'gone'> {
    const { response, names } = await this.write(base, path, { head: others.size > 0 ? ALTERNATES : '' });
    const target = response.location === null ? null : new URL(response.location, this.#site.baseUrl);
    const number = target && /\/posts\/(\d+)\//.exec(target.pathname)?.[1];
    // The title, which is in the path, was changed a moment ago, or was not known.
    const moved = target && withoutPrefix(target.pathname, prefixOf(this.#site.baseUrl));
    if (moved && `posts/${number}/` === base) return this.writeSubject(base, moved, others);
    const result = response.status === 200 ? 'page' : target && number ? 'moved' : 'gone';
    if (moved && number) await this.#writeMoved(base, Number(number), moved);
    if (result === 'gone') await this.#writePage({ path, base, number: 1 }, response, '');
    else for (const [name, text] of others) this.#folder.write(base + name, text);
    const isKept = (name: string) =>
      name === 'index.html' || names.has(name) || (result !== 'gone' && others.has(name));
    this.#folder.prune(base, isKept);
    return result;
  }

  async #writeMoved(base: string, number: number, path: string): Promise<void> {
    const { baseUrl, url } = this.#site;
    const target = escapeMarkup(relativeTo(base, `posts/${number}/`));
    const canonical = escapeMarkup(url === null ? baseUrl + path : `${url}posts/${number}/`);
    this.#folder.write(
      `${base}index.html`,
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>#${number}</title>` +
        `<meta name="robots" content="noindex"><link rel="canonical" href="${canonical}">` +
        `<meta http-equiv="refresh" content="0; url=${target}"></head>` +
        `<body><main><h1><a href="${target}">#${number}</a></h1></main></body></html>\n`,
    );
  }

  /** Copies a file of the server, unless the site has it. @returns its name */
  async copyAsset(path: string): Promise<string | null> {
    const name = copyNameOf(path);
    if (this.#folder.has(`assets/${name}`)) return name;
    const { status, body } = await this.#get(path);
    if (status !== 200) return null;
    this.#folder.write(`assets/${name}`, body);
    return name;
  }

  /** A page, or that there is none. @throws when the server could not make it */
  async get(path: string): Promise<SiteResponse> {
    const response = await this.#get(path);
    if ([200, 301, 404].includes(response.status)) return response;
    throw new Error(`The server responded to ${path} with status ${response.status}; the log has the details`);
  }
}
