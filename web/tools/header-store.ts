import { useSyncExternalStore } from 'react';
import { siteStorage } from '../lib/browser-storage.ts';

/** A header of the section "HTTP Headers"; without a value it is not sent. */
export type HeaderRow = { readonly id: number; readonly name: string; readonly value: string };

/** The headers of every request. In memory; stored only if the visitor asks for it. */
export type HeaderStore = {
  rows(): readonly HeaderRow[];
  setRows(rows: readonly HeaderRow[]): void;
  isRemembered(): boolean;
  remember(isOn: boolean): void;
  subscribe(listener: () => void): () => void;
  /** The headers as `fetch` expects them: their bytes are UTF-8. */
  forRequest(): Record<string, string>;
  hasKey(): boolean;
};

/**
 * Makes the store.
 * @param initial names and values at the start
 * @param place the name by which the browser keeps remembered headers; null: nothing is ever stored
 */
export function makeHeaderStore(initial: Readonly<Record<string, string>>, place: string | null): HeaderStore {
  const remembered = place === null ? null : readStored(place);
  let isOn = remembered !== null;
  let rows = Object.entries(remembered ?? initial).map(([name, value], id): HeaderRow => ({ id, name, value }));
  const listeners = new Set<() => void>();

  function changed(): void {
    if (place !== null) {
      if (isOn) siteStorage.set(place, JSON.stringify(Object.fromEntries(rows.map((r) => [r.name, r.value]))));
      else siteStorage.remove(place);
    }
    for (const listener of listeners) listener();
  }

  const sent = () => rows.map((r) => [r.name.trim(), r.value.trim()] as const).filter(([name, value]) => name && value);
  return {
    rows: () => rows,
    setRows(changedRows) {
      rows = [...changedRows];
      changed();
    },
    isRemembered: () => isOn,
    remember(on) {
      isOn = on;
      changed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    forRequest: () => Object.fromEntries(sent().map(([name, value]) => [name, toBytes(value)])),
    hasKey: () => sent().some(([name]) => /^(apikey|authorization)$/i.test(name)),
  };
}

/** The current headers, updated with every change. */
export function useHeaders(store: HeaderStore): { rows: readonly HeaderRow[]; isRemembered: boolean } {
  return {
    rows: useSyncExternalStore(store.subscribe, store.rows),
    isRemembered: useSyncExternalStore(store.subscribe, store.isRemembered),
  };
}

function readStored(place: string): Record<string, string> | null {
  try {
    return JSON.parse(siteStorage.get(place) ?? 'null');
  } catch {
    return null;
  }
}

/** Headers are bytes; `fetch` expects each as a character. */
function toBytes(value: string): string {
  return String.fromCharCode(...new TextEncoder().encode(value));
}
