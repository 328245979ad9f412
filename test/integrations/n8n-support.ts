import { type Ask, type Connection, makeAsk } from '../../integrations/n8n/nodes/shared/asking.ts';
import { type Polled, poll, type Wanted } from '../../integrations/n8n/nodes/shared/polling.ts';
import type { TestApp } from '../support/app.ts';
import { originOf } from '../support/live.ts';

/** What the nodes reach a board with: requests over a socket, as the helpers of n8n make them; `pauses` are what they waited. */
export type Played = { ask: Ask; connection: Connection; pauses: number[]; sent: number };

/** Connects to the app as the credential of a user does; without one, as a key that is bound to none. */
export async function connectTo(app: TestApp, user: string | null = 'ada', key = app.key): Promise<Played> {
  const origin = await originOf(app);
  const actor: Record<string, string> = user === null ? {} : { ssotype: 'SSO', ssoid: user };
  const played: Played = { ask: () => Promise.reject(new Error()), connection: { send, sleep }, pauses: [], sent: 0 };
  played.ask = makeAsk(played.connection);
  return played;

  async function send(...[body, headers]: Parameters<Connection['send']>) {
    played.sent++;
    const response = await fetch(`${origin}/api/v1/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', apikey: key, ...actor, ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: Object.fromEntries(response.headers), body: parse(text) };
  }

  async function sleep(milliseconds: number) {
    played.pauses.push(milliseconds);
    app.clock.advance(milliseconds);
  }
}

/** n8n gives the text of what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A flow, as n8n runs it: the cursor is stored with what a poll returns, and each poll continues there. */
export class Flow {
  readonly received: Polled['events'] = [];
  cursor: string | undefined;
  readonly #ask: Ask;
  readonly #wanted: Wanted;

  constructor(ask: Ask, wanted: Partial<Wanted> = {}) {
    this.#ask = ask;
    this.#wanted = { types: [], continuesAfterGap: false, hasTime: () => true, ...wanted };
  }

  /** Polls once, and gives the titles of the ideas of the events. */
  async poll(): Promise<string[]> {
    const { events, cursor } = await poll(this.#ask, this.cursor, this.#wanted);
    this.cursor = cursor;
    this.received.push(...events);
    return events.map(({ idea }) => (idea as { title: string } | null)?.title ?? '');
  }
}
