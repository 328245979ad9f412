import type { MarkdownIt } from 'markdown-it';
import { isId } from '../lib/ids.ts';

/** Users that one text can mention; further mentions are text. */
export const MAX_MENTIONS = 10;

/** How a stored text mentions a user: `[@Name](user:ID)`. */
const MENTION = /\[@([^[\]`\n]{1,200})\]\(user:([\da-f-]{36})\)/y;
const MENTIONS = new RegExp(MENTION.source, 'g');
const LIKE_MENTIONS = /\[@([^[\]`\n]{1,200})\]\(user:([^()\s]{0,40})\)/g;
/** How HTML mentions a user, see `renderMentions`. */
const RENDERED = /<span class="mention" data-user="([\da-f-]{36})">@([^<]*)<\/span>/g;

/** The name of a user, if that is still known. */
export type NameOf = (id: string) => string | null | undefined;

/** How a text mentions a user. Only the id counts; the name is for readers of the source. */
export function writeMention({ id, name }: { id: string; name: string }): string {
  return `[@${name.replace(/[[\]`]/g, '') || '?'}](user:${id})`;
}

/** The ids of the users that a text mentions. */
export function mentionedIn(text: string): string[] {
  const ids = [...text.matchAll(MENTIONS)].flatMap(([, , id = '']) => (isId(id) ? [id] : []));
  return [...new Set(ids)].slice(0, MAX_MENTIONS);
}

/** A text in which only these users are mentioned, and at most `MAX_MENTIONS` times; other mentions are text. */
export function verifyMentions(text: string, isKnown: (id: string) => boolean): string {
  let count = 0;
  return text.replace(LIKE_MENTIONS, (mention, name: string, id: string, index: number) => {
    if (isKnown(id) && count++ < MAX_MENTIONS) return mention;
    // What is left must not be the beginning of another mention.
    return text.charAt(index - 1) === '[' ? `\\@${name}` : `@${name}`;
  });
}

/** A text with mentions as people type them: `@Name`, by their current names if they are given. */
export function asTyped(text: string, nameOf: NameOf = () => null): string {
  return text.replace(MENTIONS, (_, name: string, id: string) => `@${nameOf(id) ?? name}`);
}

/** A text that no longer names a user. */
export function forgetMentions(text: string, userId: string): string {
  return text.replace(MENTIONS, (mention, _, id: string) => (id === userId ? '@…' : mention));
}

/** Makes mentions in Markdown elements of their own, at most `mentions` of the state in one text; others are text. */
export function renderMentions(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('link', 'mention', (state, silent) => {
    MENTION.lastIndex = state.pos;
    const [mention, name = '', id = ''] = MENTION.exec(state.src) ?? [];
    if (mention === undefined) return false;
    state.pos += mention.length;
    if (silent) return true;
    const env = state.env as { mentions: number };
    const token = state.push(env.mentions > 0 ? 'mention' : 'text', '', 0);
    token.content = `@${name}`;
    token.meta = { id };
    env.mentions--;
    return true;
  });
  markdown.renderer.rules.mention = (tokens, index) => {
    const { content = '', meta } = tokens[index] ?? {};
    return `<span class="mention" data-user="${meta?.id}">${markdown.utils.escapeHtml(content)}</span>`;
  };
}

/** Rendered Markdown with the current names of the users that it mentions; a name that belongs to no user is text. */
export function nameMentions(html: string, nameOf: NameOf): string {
  return html.replace(RENDERED, (_, id: string, written: string) => {
    const name = nameOf(id);
    return name == null ? `@${written}` : `<span class="mention">@${escapeHtml(name)}</span>`;
  });
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
