import type { LoggedRequest } from '#src/webhooks/delivery/attempts.ts';

/** A request with its signatures as a line for a terminal. The body is sent byte for byte. */
export function curlLine({ method, url, headers }: LoggedRequest, body: string): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return ['curl', '-i', '-X', method, quote(url), ...options, '--data-binary', quote(body)].join(' ');
}

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
