import type { UNSAFE_AssetsManifest as AssetsManifest } from 'react-router';
import { browserPrefix } from './prefix.ts';

/** What React Router tells of the page that it began with. */
declare global {
  interface Window {
    __reactRouterManifest?: AssetsManifest;
    __reactRouterRouteModules?: Record<string, unknown>;
  }
}

/** Tells whether the page waits for a server that does not answer. */
export const WAITING = 'earshot-waiting';

/** Pause before a server is asked again, in milliseconds. */
const PAUSE_MS = 1500;

/**
 * Loads a part of the pages that was not needed until now, once its files have come. While the server does not answer,
 * because it restarts, or the line or a proxy fails, the page stays as it is, with what was typed. Nothing is imported
 * before, because browsers keep an import that failed for as long as the page is open.
 * @param files the addresses of its script, and of those that this one imports
 * @throws if the server answers, but does not have it: another version was started
 */
export async function loadPart<T>(load: () => Promise<T>, files: readonly string[]): Promise<T> {
  had ??= new Set(filesOfPage());
  const missing = files.filter((file) => !had?.has(file));
  await Promise.all(missing.map(awaitFile));
  for (const file of missing) had.add(file);
  return load();
}

/** Scripts that have come, so the browser has them. */
let had: Set<string> | undefined;

/** Scripts that are on their way, for all that wait for them: twenty votes ask for the same one. */
const awaited = new Map<string, Promise<void>>();

function awaitFile(file: string): Promise<void> {
  const coming = awaited.get(file) ?? awaitAnswer(file).finally(() => awaited.delete(file));
  awaited.set(file, coming);
  return coming;
}

/** The scripts that the page began with, which are not asked for again. */
function filesOfPage(): string[] {
  const { __reactRouterManifest: manifest, __reactRouterRouteModules: known = {} } = window;
  const began = Object.keys(known).map((id) => manifest?.routes[id]);
  return [manifest?.entry, ...began].flatMap((part) => (part ? [part.module, ...(part.imports ?? [])] : []));
}

/** What `loadPart` does, for an `import()`, as the build writes it (`web/vite.config.ts`), with files below the prefix. */
export function loadImport<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  // Their styles came with the page.
  const scripts = files.filter((file) => file.endsWith('.js'));
  return loadPart(
    load,
    scripts.map((file) => `${browserPrefix()}/${file}`),
  );
}

/** Waits until the server answers, and not a proxy in its place, with a file that it has. */
export async function awaitAnswer(file = import.meta.url, options: RequestInit = {}): Promise<void> {
  if (await isAnswered(file, options)) return;
  tellWaiting(1);
  try {
    do await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    while (!options.signal?.aborted && !(await isAnswered(file, options)));
  } finally {
    tellWaiting(-1);
  }
}

async function isAnswered(file: string, options: RequestInit): Promise<boolean> {
  try {
    const response = await fetch(file, options);
    await response.arrayBuffer();
    return response.status < 500 && response.status !== 429;
  } catch {
    return false;
  }
}

let waiting = 0;

function tellWaiting(change: 1 | -1): void {
  waiting += change;
  window.dispatchEvent(new CustomEvent<boolean>(WAITING, { detail: waiting > 0 }));
}
