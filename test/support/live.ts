import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { EventSource } from 'eventsource';
import { onEnd } from './cleanup.ts';
import type { TestWeb, WebVisitor } from './web.ts';

/** A message of the stream of an open page; the last ones only the team gets. */
type Message = {
  number: number;
  votes: number;
  comments: number;
  statusId: string;
  hiddenComments?: number;
  open?: string[];
  more?: number;
};

export type OpenPage = Awaited<ReturnType<typeof openPage>>;

/** Where a test app listens, from now on. */
export async function originOf({ app }: Pick<TestWeb, 'app'>): Promise<string> {
  if (!app.server.listening) return app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** A page that shows some posts, with a client that is not ours. `posts` may be followed by other parameters. */
export async function openPage(t: TestContext, web: TestWeb, posts: string, visitor?: WebVisitor) {
  const cookie = [...(visitor?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const source = new EventSource(`${await originOf(web)}/b/acme/live?posts=${posts}`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, cookie } }),
  });
  onEnd(t, () => source.close());
  const messages: Message[] = [];
  source.addEventListener('message', ({ data }) => messages.push(JSON.parse(data)));
  const newest = (number: number) => messages.findLast((message) => message.number === number);
  return { source, messages, newest };
}
