/** The part of localStorage under a name, for one tool: the other keeps its own. */
export function makeStorage(name: string): Storage {
  const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(`${name}:`));
  return {
    getItem: (key) => localStorage.getItem(`${name}:${key}`),
    setItem: (key, value) => localStorage.setItem(`${name}:${key}`, value),
    removeItem: (key) => localStorage.removeItem(`${name}:${key}`),
    key: (index) => keys()[index]?.slice(name.length + 1) ?? null,
    clear() {
      for (const key of keys()) localStorage.removeItem(key);
    },
    get length() {
      return keys().length;
    },
  };
}
