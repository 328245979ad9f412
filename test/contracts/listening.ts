import type { TestApp } from '../support/app.ts';

/** Lets the app listen on a free port and gives the address of its API. The app stops listening when its test ends. */
export async function listen({ app }: TestApp): Promise<string> {
  return `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/graphql`;
}

/** A `fetch` that adds headers to each request, as a client with a key does. */
export function fetchWith(headers: Readonly<Record<string, string>>): typeof fetch {
  return (input, init) => {
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return fetch(input, { ...init, headers: all });
  };
}
