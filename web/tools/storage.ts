import { siteStorage } from '../lib/browser-storage.ts';

/** What the browser keeps for the site under a name, for one tool: the other keeps its own. */
export function makeStorage(name: string): Storage {
  const keys = () => siteStorage.names().filter((key) => key.startsWith(`${name}:`));
  return {
    getItem: (key) => siteStorage.get(`${name}:${key}`),
    setItem: (key, value) => siteStorage.set(`${name}:${key}`, value),
    removeItem: (key) => siteStorage.remove(`${name}:${key}`),
    key: (index) => keys()[index]?.slice(name.length + 1) ?? null,
    clear() {
      for (const key of keys()) siteStorage.remove(key);
    },
    get length() {
      return keys().length;
    },
  };
}
