import assert from 'node:assert/strict';
import type { StorePlace } from '../support/store.ts';
import { askEarshotIn } from './server.ts';

/** A user who has joined a board as its owner, in a browser that keeps cookies and sends forms. */
export type Owner = {
  /** The path of the board. */
  home: string;
  send(path: string, body?: Buffer | string, type?: string): Promise<{ status: number; text: string }>;
};

/** Lets an owner join the board of a server that serves at this origin. */
export async function joinAsOwner(place: StorePlace, origin: string): Promise<Owner> {
  const cookies = new Map<string, string>();
  const send: Owner['send'] = async (path, body, type = 'application/x-www-form-urlencoded') => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const init = body === undefined ? {} : { method: 'POST', body: body as BodyInit };
    const headers = { cookie, origin, ...(body !== undefined && { 'content-type': type }) };
    const response = await fetch(`${origin}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { status: response.status, text: await response.text() };
  };
  const email = 'olga@example.com';
  const invited = await askEarshotIn({ BASE_URL: origin }, place, 'owner', 'invite', '--email', email);
  const form = { name: 'Olga', email, password: 'correct horse battery' };
  const joined = await send(new URL(invited.link ?? '').pathname, new URLSearchParams(form).toString());
  assert.equal(joined.status, 302, joined.text);
  return { home: `/b/${invited.board}`, send };
}
