import { prefixOf } from './prefix.ts';

/** A `Set-Cookie` header for all pages of the server and no script; 0 seconds remove the cookie. */
export function serverCookie(baseUrl: string, name: string, value: string, seconds: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=${cookiePath(baseUrl)}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

/** Where the cookies of the server are valid: other applications of its host do not get them. */
export function cookiePath(baseUrl: string): string {
  return prefixOf(baseUrl) || '/';
}
