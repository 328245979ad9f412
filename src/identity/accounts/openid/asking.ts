import { SECOND_MS } from '../../../platform/lib/clock.ts';
import { printable } from '../../../platform/texts/text.ts';
import { ProviderFault } from './fault.ts';

/** A JSON object from a provider. */
export type Json = Record<string, unknown>;

/** How long a provider may take for one response, and how long the response may be. */
const LIMIT_MS = 10 * SECOND_MS;
const MAX_BYTES = 1_048_576;

/**
 * Asks a provider for a JSON object.
 * @returns the status, and the object; null if the body is none
 * @throws ProviderFault if there is no response
 */
export async function askJson(url: string, init: RequestInit = {}): Promise<{ status: number; json: Json | null }> {
  try {
    const headers = { accept: 'application/json', ...init.headers };
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(LIMIT_MS) });
    return { status: response.status, json: parseObject(await readText(response)) };
  } catch (error) {
    throw new ProviderFault(describeSilence(error, url), { kind: 'unreachable', cause: error });
  }
}

/** The text of a response; nothing if it is too long. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Why nothing came from a URL; for a certificate also what to set. */
export function describeSilence(error: unknown, url: string): string {
  const { name, message, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (name === 'TimeoutError') return `${url} did not respond within ${LIMIT_MS / SECOND_MS} s`;
  if (cause instanceof Error && code === undefined) return describeSilence(cause, url);
  const reason = `${url} cannot be reached: ${printable(message || code || 'no reason given', 300)}`;
  return /CERT|SIGNATURE/.test(code ?? '') ? `${reason} (${code}). ${OWN_AUTHORITY}` : reason;
}

const OWN_AUTHORITY =
  'If the certificate is from an authority of your own, name a file with its certificate in NODE_EXTRA_CA_CERTS';
