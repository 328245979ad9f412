/** What a browser keeps by name. Whatever it refuses to keep lasts as long as the page. */
export type BrowserStorage = {
  get(name: string): string | null;
  set(name: string, value: string): void;
  remove(name: string): void;
  names(): string[];
};

/** For this tab. */
export const tabStorage = /* @__PURE__ */ withoutThrowing(() => sessionStorage);

/** For this site. */
export const siteStorage = /* @__PURE__ */ withoutThrowing(() => localStorage);

/** Whether the browser denies storage for this site. */
export function isStorageDenied(): boolean {
  try {
    return localStorage === null;
  } catch {
    return true;
  }
}

/**
 * A script for the head of pages: React Router reads `sessionStorage` in a script of its own, and while it handles the
 * exception of that, it causes another one.
 */
export const STORAGE_GUARD =
  "try{sessionStorage.length}catch{Object.defineProperty(window,'sessionStorage',{value:{getItem:()=>null,setItem(){},removeItem(){}}})}";

/**
 * Browsers deny storage to frames of other sites, in private windows, or altogether, and then merely naming it throws;
 * what is full throws, too.
 */
function withoutThrowing(open: () => Storage): BrowserStorage {
  const memory = new Map<string, string>();
  function attempt<Result>(use: (storage: Storage) => Result, otherwise: Result): Result {
    try {
      return use(open());
    } catch {
      return otherwise;
    }
  }
  const remove = (name: string) => attempt((storage) => storage.removeItem(name), undefined);
  return {
    get: (name) => memory.get(name) ?? attempt((storage) => storage.getItem(name), null),
    set(name, value) {
      memory.delete(name);
      const isKept = attempt((storage) => {
        storage.setItem(name, value);
        return storage.getItem(name) === value;
      }, false);
      if (isKept) return;
      memory.set(name, value);
      // What was there before would come back after the page.
      remove(name);
    },
    remove(name) {
      memory.delete(name);
      remove(name);
    },
    names: () => [...memory.keys(), ...attempt((storage) => Object.keys(storage), [])],
  };
}
