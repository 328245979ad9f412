import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entryPath } from '../../../feedback/changelog/entries.ts';
import { listEntries } from '../../../feedback/changelog/list.ts';
import { listFields } from '../../../feedback/fields/fields.ts';
import { countFiles, isIndexed } from '../../../feedback/sharing/indexing.ts';
import { listStatuses } from '../../../feedback/statuses/statuses.ts';
import { listTags } from '../../../feedback/tags/tags.ts';
import { canonicalUrl } from '../../../identity/board/board.ts';
import { isPrivate } from '../../../identity/users/entry.ts';
import type { RequestContext } from '../../../identity/users/request-context.ts';
import { workAhead } from '../../../platform/lib/work-ahead.ts';
import { makeSlug } from '../../../platform/texts/text.ts';
import { VERSION } from '../../../platform/version.ts';
import { SiteFolder } from './folder.ts';
import { type GetPage, SitePages } from './pages.ts';
import { readSitePosts, type SitePost } from './posts.ts';
import { printMarkdown } from './public-post.ts';
import { rewriteXml, type SiteAddresses } from './rewriting.ts';
import { GONE, SiteState, STATE_FILE } from './state.ts';

/** Where a site goes, and what it is made with. */
export type SiteOptions = {
  folder: string;
  /** Where it will be served; null: search engines are led to the board on the server. */
  url: string | null;
  /** The built files for browsers. */
  clientFolder: string;
  get: GetPage;
  /** Called with the number of posts so far. */
  onProgress?: (posts: number) => void;
};

/** How many posts a site has, how many of them were written in this run, and how many are no longer public. */
export type SiteResult = { posts: number; written: number; removed: number };

/** Posts to write at a time: while the files of one are written, the page of another is rendered. */
const POSTS = 4;
/** Changelog entries to read at a time. */
const ENTRIES = 50;
/** Posts that are written while lists are made are added; on a busy board, those of the last round come next time. */
const MAX_ROUNDS = 3;

/**
 * The board as anonymous visitors see it, as files: the pages that the server itself renders, without what needs a
 * server, and each post as JSON and Markdown. A later run writes the posts again whose data has changed, and all lists.
 * @throws for a private board, and for a folder that has anything else
 */
export async function exportSite(context: RequestContext, options: SiteOptions): Promise<SiteResult> {
  const { board } = context;
  if (isPrivate(board)) throw new Error(`The board ${board.pid} is private: a site would show it to everyone`);
  const folder = SiteFolder.open(options.folder, STATE_FILE);
  const state = await SiteState.open(folder, board.id, await readSettings(context, options));
  try {
    return await new Site(context, options, folder, state).write();
  } finally {
    folder.close();
  }
}

/** A digest of what every page depends on. */
async function readSettings({ db, board, baseUrl }: RequestContext, options: SiteOptions): Promise<string> {
  const { pid, name, description, locale, time_zone, domain, favicon_url, logo_url, brand_color } = board;
  const { is_roadmap_enabled, is_indexed, changelog_count } = board;
  const statuses = await listStatuses(db.read, board.id);
  const tags = await listTags(db.read, board.id, null);
  const all = [
    [VERSION, await listAssets(options.clientFolder), baseUrl, options.url],
    [pid, name, description, locale, time_zone, domain, favicon_url, logo_url, brand_color],
    [is_roadmap_enabled, is_indexed, changelog_count > 0],
    statuses.map(({ post_count, held_count, ...status }) => status),
    tags.map(({ post_count, ...tag }) => tag),
    await listFields(db.read, board.id, null),
  ];
  return hash('sha256', JSON.stringify(all), 'base64url');
}

/** One run. */
class Site {
  readonly #context: RequestContext;
  readonly #options: SiteOptions;
  readonly #folder: SiteFolder;
  readonly #state: SiteState;
  readonly #addresses: SiteAddresses;
  readonly #pages: SitePages;
  readonly #images = new Map<string, string>();
  readonly #home: string;
  #posts = 0;
  #written = 0;

  constructor(context: RequestContext, options: SiteOptions, folder: SiteFolder, state: SiteState) {
    const { board, baseUrl } = context;
    const { url } = options;
    this.#context = context;
    this.#options = options;
    this.#folder = folder;
    this.#state = state;
    this.#home = `/b/${board.pid}`;
    this.#addresses = { pid: board.pid, baseUrl, home: canonicalUrl(board, baseUrl), url, images: this.#images };
    this.#pages = new SitePages(folder, this.#addresses, options.get);
  }

  async write(): Promise<SiteResult> {
    await this.#writeAssets();
    let result = await this.#writePosts();
    await this.#writeEntries();
    for (let round = 1; (await this.#writeLists()) && round < MAX_ROUNDS; round++) result = await this.#writePosts();
    await this.#writeFeeds();
    await this.#state.save();
    return result;
  }

  async #writeAssets(): Promise<void> {
    const { clientFolder } = this.#options;
    const names = await listAssets(clientFolder);
    await copyAssets(this.#folder, clientFolder, names);
    const { logo_url, favicon_url } = this.#context.board;
    for (const path of [logo_url, favicon_url]) {
      const name = path && (await this.#pages.copyAsset(path));
      if (name) this.#images.set(path, name);
    }
    const kept = new Set([...names, ...this.#images.values()]);
    this.#folder.prune('assets/', (name) => kept.has(name));
  }

  /** Writes the posts that have changed, and a list of all for programs. */
  async #writePosts(): Promise<SiteResult> {
    const { posts } = this.#state;
    posts.seeNone();
    this.#posts = 0;
    await this.#folder.writeLong('posts.json', this.#eachPost());
    let removed = 0;
    for (const number of posts.numbers()) {
      if (posts.hasSeen(number) || posts.get(number) === GONE) continue;
      const result = await this.#pages.writeSubject(`posts/${number}/`, `${this.#home}/posts/${number}`);
      if (result === 'gone') removed++;
      this.#state.addPost(number, result === 'gone' ? GONE : '');
    }
    return { posts: this.#posts, written: this.#written, removed };
  }

  async *#eachPost(): AsyncGenerator<string> {
    const written = workAhead(readSitePosts(this.#context), POSTS, (each) => this.#writeIfChanged(each));
    for await (const { data } of written) {
      const { number, title, status, votes, tags, author, mergedInto, dateCreated } = data;
      const path = `posts/${number}/index.json`;
      const brief = { number, title, status, votes, tags, author, mergedInto, dateCreated, path };
      yield `${this.#posts === 0 ? '[' : ','}\n${JSON.stringify(brief)}`;
      this.#posts++;
      this.#state.posts.see(number);
      this.#options.onProgress?.(this.#posts);
    }
    yield this.#posts === 0 ? '[]\n' : '\n]\n';
  }

  async #writeIfChanged(each: SitePost): Promise<SitePost> {
    const { number } = each.post;
    if (this.#state.posts.get(number) === each.mark) return each;
    await this.#writePost(each);
    this.#state.addPost(number, each.mark);
    this.#written++;
    return each;
  }

  async #writePost({ post, data }: SitePost): Promise<void> {
    const others = new Map([
      ['index.json', `${JSON.stringify(data, null, 2)}\n`],
      ['index.md', printMarkdown(data)],
    ]);
    const path = `${this.#home}/posts/${post.number}/${encodeURIComponent(makeSlug(post.title))}`;
    await this.#pages.writeSubject(`posts/${post.number}/`, path, others);
  }

  /** Writes the changelog entries, of which there are few. */
  async #writeEntries(): Promise<void> {
    const context = { ...this.#context, actor: null };
    const seen = new Set<number>();
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page = await listEntries(context, 'PUBLISHED', { cursor, limit: ENTRIES });
      for (const entry of page.nodes) {
        await this.#pages.writeSubject(`changelog/${entry.number}/`, `${this.#home}/${entryPath(entry)}`);
        seen.add(entry.number);
        this.#state.addEntry(entry.number);
      }
      cursor = page.hasMore ? page.cursor : null;
    }
    for (const number of this.#state.entries) {
      if (!seen.has(number))
        await this.#pages.writeSubject(`changelog/${number}/`, `${this.#home}/changelog/${number}`);
    }
  }

  /**
   * Writes the lists: the first page, and what it and the others link. @returns whether they have posts that the site
   * does not have yet
   */
  async #writeLists(): Promise<boolean> {
    const { is_roadmap_enabled, changelog_count } = this.#context.board;
    const lists = new Map([['', this.#home]]);
    if (is_roadmap_enabled === 1) lists.set('roadmap/', `${this.#home}/roadmap`);
    if (changelog_count > 0) lists.set('changelog/', `${this.#home}/changelog`);
    let hasUnknown = false;
    const kept = new Map<string, ReadonlySet<string>>();
    // Lists that are found on the way are added at the end.
    const onLinks = (links: ReadonlyMap<string, string>) => {
      for (const [address, livePath] of links) {
        if (/^ideas\/[^/]+\/$/.test(address) && !lists.has(address)) lists.set(address, livePath);
        const number = /^posts\/(\d+)\//.exec(address)?.[1];
        if (number !== undefined && this.#state.posts.get(Number(number)) === undefined) hasUnknown = true;
      }
    };
    for (const [base, path] of lists) {
      const { response, names } = await this.#pages.write(base, path, { onLinks });
      if (response.status !== 200) throw new Error(`${path} is no longer public`);
      kept.set(base, names);
    }
    await this.#pruneLists(kept);
    return hasUnknown;
  }

  /** Removes pages of lists that have become shorter, and lists that are no more. */
  async #pruneLists(kept: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    const ofList = /^(page-\d+|files)$/;
    for (const [base, names] of kept) {
      this.#folder.prune(base, (name) => names.has(name) || !ofList.test(name));
    }
    this.#folder.prune('ideas/', (name) => kept.has(`ideas/${name}/`));
    this.#folder.prune('', (name) => name !== 'roadmap' || kept.has('roadmap/'));
    if (!kept.has('changelog/')) this.#folder.prune('changelog/', (name) => /^\d+$/.test(name));
  }

  async #writeFeeds(): Promise<void> {
    const names = ['posts.atom', 'changelog.atom'];
    for (const name of names) await this.#copy(`${this.#home}/${name}`, name);
    await this.#copy(`${this.#home}/picture.png`, 'picture.png');
    // A sitemap names only pages of its own host.
    if (this.#options.url === null || !isIndexed(this.#context.board)) return;
    const files = countFiles(this.#context.board);
    const sitemaps = Array.from({ length: files }, (_, n) => `sitemap-${n + 1}.xml`);
    for (const [n, name] of sitemaps.entries()) await this.#copy(`${this.#home}/sitemap/${n + 1}.xml`, name);
    const urls = sitemaps.map((name) => `<sitemap><loc>${this.#options.url}${name}</loc></sitemap>`).join('');
    const index = `<?xml version="1.0" encoding="UTF-8"?><sitemapindex xmlns="${SITEMAPS}">${urls}</sitemapindex>`;
    this.#folder.write('sitemap.xml', index);
  }

  async #copy(path: string, name: string): Promise<void> {
    const { status, body } = await this.#pages.get(path);
    const isXml = !name.endsWith('.png');
    if (status === 200) this.#folder.write(name, isXml ? rewriteXml(body.toString(), this.#addresses) : body);
  }
}

const SITEMAPS = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Icons of pages, beside the folder `assets`. */
const ICONS = ['icon.svg', 'apple-touch-icon.png', 'favicon.ico'];

/** The built files that pages without scripts need, by their names; each has its content in its name. */
async function listAssets(clientFolder: string): Promise<string[]> {
  const names = await readdir(join(clientFolder, 'assets'));
  return names.filter((name) => /\.(css|woff2|svg|png|webp)$/.test(name)).sort();
}

/** Copies styles, fonts and icons, which name each other by relative paths. */
async function copyAssets(folder: SiteFolder, clientFolder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    folder.write(`assets/${name}`, await readFile(join(clientFolder, 'assets', name)));
  }
  for (const name of ICONS) folder.write(name, await readFile(join(clientFolder, name)));
}
