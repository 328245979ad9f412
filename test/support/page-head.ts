import assert from 'node:assert/strict';

/** What the head of a page says of it. */
export type PageHead = {
  title: string | undefined;
  canonical: string | undefined;
  /** The content of each `meta` element, by its name or property. */
  meta: Record<string, string>;
  /** What stands in it as JSON-LD. */
  data: unknown;
};

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" };

/** Reads the head of an HTML page, and makes sure that nothing is there twice. */
export function readHead(html: string): PageHead {
  const meta: Record<string, string> = {};
  for (const tag of html.match(/<meta [^>]*>/g) ?? []) {
    const name = attributeOf(tag, 'name') ?? attributeOf(tag, 'property');
    if (name === undefined) continue;
    assert.ok(!Object.hasOwn(meta, name), `${name} is there once`);
    meta[name] = attributeOf(tag, 'content') ?? '';
  }
  const titles = [...html.matchAll(/<title>(.*?)<\/title>/gs)].filter(([, title]) => title !== 'Earshot');
  const links = html.match(/<link [^>]*rel="canonical"[^>]*>/g) ?? [];
  const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  assert.ok(titles.length <= 1 && links.length <= 1 && scripts.length <= 1, 'there is one of each');
  const data = scripts[0]?.[1];
  return {
    title: titles[0]?.[1] === undefined ? undefined : readText(titles[0][1]),
    canonical: links[0] && attributeOf(links[0], 'href'),
    meta,
    data: data === undefined ? null : JSON.parse(data),
  };
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : readText(value);
}

function readText(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
