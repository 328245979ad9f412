import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { languages } from '../platform/catalogues.ts';

/** The cookie with the language that a visitor has chosen, as `web/site/look.ts` sets it. */
const CHOSEN = /(?:^|;\s*)language=([\w-]{2,20})(?=;|$)/;
/** Characters of a list of languages that are read; those of browsers are shorter. */
const MAX_LIST = 200;

/** What lists ask for. There are few different ones, and every request has one. */
const known = new LRUCache<string, { language: string | null }>({ max: 500 });

/**
 * The language that a visitor asks for: the one that they have chosen, else the one of ours that their browser prefers; null
 * if they ask for none that we have, as crawlers do.
 */
export function askedLanguage({ cookie = '', 'accept-language': list = '' }: IncomingHttpHeaders): string | null {
  const chosen = CHOSEN.exec(cookie)?.[1];
  return languages.find((language) => language === chosen) ?? preferredOf(list.slice(0, MAX_LIST));
}

function preferredOf(list: string): string | null {
  const { language } = known.get(list) ?? { language: choose(list) };
  known.set(list, { language });
  return language;
}

/** A regional variant stands for its language: pt-PT gets pt-BR. */
function choose(list: string): string | null {
  const wanted = list
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [tag = '', weight] = part.split(/;\s*q=/);
      return { code: primaryOf(tag.trim()), weight: weight === undefined ? 1 : Number.parseFloat(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return wanted.flatMap(({ code }) => languages.find((language) => primaryOf(language) === code) ?? [])[0] ?? null;
}

/** The language itself, without script and region. */
function primaryOf(tag: string): string {
  return tag.split('-')[0] ?? '';
}
