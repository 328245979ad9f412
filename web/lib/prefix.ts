import { createContext, use } from 'react';

/**
 * The path under which the server is reached, such as `/feedback`; '' at the root of a host. React Router puts it before the
 * paths of pages; the address of a file, and what the browser does without React Router, needs it in front.
 */
export const PrefixContext = createContext('');

export function usePrefix(): string {
  return use(PrefixContext);
}

/** The prefix of all paths, in a browser, outside of components. */
export function browserPrefix(): string {
  return document.documentElement.dataset.prefix ?? '';
}
