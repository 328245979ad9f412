import * as z from 'zod';
import { type LocalizedMessage, type MessagePart, msg, phrase, quote, restore } from '../../platform/messages.ts';
import { printable } from '../../platform/texts/text.ts';
import { describeFault } from '../../webhooks/diagnosis/faults.ts';
import type { Exchange } from '../../webhooks/http/exchange.ts';

/** Why a tracker did not do what was asked. */
export class TrackerFault extends Error {
  /** The message with its parts, for people. */
  readonly said: LocalizedMessage;
  /** How long to ask it nothing, if it is not a single request that it refuses. */
  readonly pauseMs: number | null;
  /** What of the settings is probably wrong. */
  readonly field: 'project' | 'token';

  constructor(said: LocalizedMessage, pauseMs: number | null, field: 'project' | 'token' = 'project') {
    super(said.text);
    this.said = said;
    this.pauseMs = pauseMs;
    this.field = field;
  }
}

/** Why there was no response, for people who can do something about it. */
export function describeSilence({ fault, timings }: Exchange, host: string, url: string): LocalizedMessage {
  const unreached = (why: LocalizedMessage) => msg('trackerUnreached', host, why);
  if (!fault) return unreached(phrase('connection closed'));
  switch (fault.kind) {
    case 'address not allowed':
      return unreached(msg('trackerMustBeAllowed'));
    case 'timed out':
      return unreached(msg('timedOutAfterS', Math.round(timings.total / 1_000)));
    case 'certificate not valid':
    case 'tls failed':
      return describeFault(fault, timings, url).sentence;
    default:
      return unreached('reason' in fault ? phrase(printable(fault.reason, 300)) : phrase(fault.kind));
  }
}

/** A message as the store keeps it, for every language. */
export function storeFailure({ parts }: LocalizedMessage): string {
  return JSON.stringify(parts);
}

const PARTS = z.array(z.tuple([z.string()], z.unknown())).min(1);

/** A stored message; one of 1.0.0, which has English words alone, as it is. */
export function readFailure(stored: string | null): LocalizedMessage | null {
  if (stored === null) return null;
  try {
    const { data } = PARTS.safeParse(JSON.parse(stored));
    return data ? restore(data as MessagePart[]) : quote(stored);
  } catch (error) {
    if (error instanceof SyntaxError) return quote(stored);
    throw error;
  }
}
