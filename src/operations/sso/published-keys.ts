import type { JSONWebKeySet } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { describeFault } from '../../webhooks/diagnosis/faults.ts';
import type { Dial } from '../../webhooks/http/exchange.ts';
import { senderHeaders } from '../../webhooks/http/sender.ts';

/** The keys at a URL, or why they could not be read. */
type ReadKeys = { jwks: JSONWebKeySet; refusal?: never } | { jwks?: never; refusal: LocalizedMessage };

/** How long keys are cached, and how soon they are requested again: when a token names an unknown one, or after a failure. */
const KEPT_MS = 10 * MINUTE_MS;
const AGAIN_MS = 30 * SECOND_MS;
const MAX_KEYS = 50;

/**
 * Public keys that other servers publish. They are requested with the guarded HTTP client of webhooks, at most twice a
 * minute.
 */
export class PublishedKeys {
  readonly #dial: Dial;
  readonly #clock: Clock;
  readonly #version: string;
  readonly #known = new LRUCache<string, { readAt: number; keptMs: number; keys: Promise<ReadKeys> }>({ max: 100 });

  constructor({ dial, version }: { dial: Dial; version: string }, clock: Clock) {
    this.#dial = dial;
    this.#clock = clock;
    this.#version = version;
  }

  /** @param isStale if a token names a key that is not among the cached ones */
  read(url: string, isStale: boolean): Promise<ReadKeys> {
    const now = this.#clock.now();
    const known = this.#known.get(url);
    if (known && Math.abs(now - known.readAt) < (isStale ? AGAIN_MS : known.keptMs)) return known.keys;
    const asked = { readAt: now, keptMs: KEPT_MS, keys: this.#fetch(url) };
    this.#known.set(url, asked);
    void asked.keys.then(({ refusal }) => {
      if (refusal) asked.keptMs = AGAIN_MS;
    });
    return asked.keys;
  }

  async #fetch(url: string): Promise<ReadKeys> {
    const headers = { ...senderHeaders(this.#version), accept: 'application/json' };
    const exchange = await this.#dial({ method: 'GET', url, headers });
    if (exchange.fault) {
      const { sentence } = describeFault(exchange.fault, exchange.timings, url);
      return { refusal: sentence };
    }
    const { status, body, isCut } = exchange.answer;
    if (status !== 200) return { refusal: msg('ssoJwksStatus', status) };
    const jwks = isCut ? null : parseKeys(Buffer.from(body).toString('utf8'));
    return jwks ? { jwks } : { refusal: msg('ssoJwksInvalid', 16) };
  }
}

function parseKeys(text: string): JSONWebKeySet | null {
  try {
    const { keys } = JSON.parse(text);
    return Array.isArray(keys) && keys.length <= MAX_KEYS ? { keys } : null;
  } catch {
    return null;
  }
}
