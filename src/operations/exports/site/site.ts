import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { entryPath } from '../../../feedback/changelog/entries.ts';
import { listEntries } from '../../../feedback/changelog/list.ts';
import { listFields } from '../../../feedback/fields/fields.ts';
import { countFiles, isIndexed } from '../../../feedback/sharing/indexing.ts';
import { listStatuses } from '../../../feedback/statuses/statuses.ts';
import { listTags } from '../../../feedback/tags/tags.ts';
import { canonicalUrl } from '../../../identity/board/board.ts';
import { isPrivate } from '../../../identity/users/entry.ts';
import type { RequestContext } from '../../../identity/users/request-context.ts';
import { makeSlug } from '../../../platform/texts/text.ts';
import { VERSION } from '../../../platform/version.ts';
import { copyAssets, listAssets } from './assets.ts';
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
  const folder = await SiteFolder.open(options.folder, STATE_FILE);
  const site = new Site(
    context,
    options,
    folder,
    await SiteState.open(folder, board.id, await readSettings(context, options)),
  );
  try {
    return await site.write();
  } finally {
    await folder.close();
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
    await this.#folder.prune('assets/', (name) => kept.has(name));
  }

  /** Writes the posts that have changed, and a list of all for programs. */
  async #writePosts(): Promise<SiteResult> {
    const seen = new Set<string>();
    const part = await this.#folder.newPart();
    await pipeline(Readable.from(this.#eachPost(seen), { objectMode: false }), createWriteStream(part));
    await this.#folder.place(part, 'posts.json');
    let removed = 0;
    for (const key of this.#state.keysOf('p')) {
      if (seen.has(key) || this.#state.markOf(key) === GONE) continue;
      const number = key.slice(1);
      const result = await this.#pages.writeSubject(`posts/${number}/`, `${this.#home}/posts/${number}`);
      if (result === 'gone') removed++;
      await this.#state.add(key, result === 'gone' ? GONE : '');
    }
    return { posts: seen.size, written: this.#written, removed };
  }

  async *#eachPost(seen: Set<string>): AsyncGenerator<string> {
    for await (const each of readSitePosts(this.#context)) {
      const key = `p${each.post.number}`;
      if (this.#state.markOf(key) !== each.mark) {
        await this.#writePost(each);
        await this.#state.add(key, each.mark);
        this.#written++;
      }
      const { number, title, status, votes, tags, author, mergedInto, dateCreated } = each.data;
      const path = `posts/${number}/index.json`;
      const brief = { number, title, status, votes, tags, author, mergedInto, dateCreated, path };
      yield `${seen.size === 0 ? '[' : ','}\n${JSON.stringify(brief)}`;
      seen.add(key);
      this.#options.onProgress?.(seen.size);
    }
    yield seen.size === 0 ? '[]\n' : '\n]\n';
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
    const seen = new Set<string>();
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page = await listEntries(context, 'PUBLISHED', { cursor, limit: ENTRIES });
      for (const entry of page.nodes) {
        await this.#pages.writeSubject(`changelog/${entry.number}/`, `${this.#home}/${entryPath(entry)}`);
        seen.add(`e${entry.number}`);
        await this.#state.add(`e${entry.number}`, '');
      }
      cursor = page.hasMore ? page.cursor : null;
    }
    for (const key of this.#state.keysOf('e')) {
      const number = key.slice(1);
      if (!seen.has(key)) await this.#pages.writeSubject(`changelog/${number}/`, `${this.#home}/changelog/${number}`);
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
    for (const [base, path] of lists) {
      const { response, links, names } = await this.#pages.write(base, path);
      if (response.status !== 200) throw new Error(`${path} is no longer public`);
      kept.set(base, names);
      for (const [address, livePath] of links) {
        if (/^ideas\/[^/]+\/$/.test(address) && !lists.has(address)) lists.set(address, livePath);
        const number = /^posts\/(\d+)\//.exec(address)?.[1];
        if (number !== undefined && this.#state.markOf(`p${number}`) === undefined) hasUnknown = true;
      }
    }
    await this.#pruneLists(kept);
    return hasUnknown;
  }

  /** Removes pages of lists that have become shorter, and lists that are no more. */
  async #pruneLists(kept: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    const ofList = /^(page-\d+|files)$/;
    for (const [base, names] of kept) {
      await this.#folder.prune(base, (name) => names.has(name) || !ofList.test(name));
    }
    await this.#folder.prune('ideas/', (name) => kept.has(`ideas/${name}/`));
    await this.#folder.prune('', (name) => name !== 'roadmap' || kept.has('roadmap/'));
    if (!kept.has('changelog/')) await this.#folder.prune('changelog/', (name) => /^\d+$/.test(name));
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
    await this.#folder.write('sitemap.xml', index);
  }

  async #copy(path: string, name: string): Promise<void> {
    const { status, body } = await this.#pages.get(path);
    const isXml = !name.endsWith('.png');
    if (status === 200) await this.#folder.write(name, isXml ? rewriteXml(body.toString(), this.#addresses) : body);
  }
}

const SITEMAPS = 'http://www.sitemaps.org/schemas/sitemap/0.9';
