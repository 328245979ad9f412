import * as z from 'zod';
import type { ChatPerson } from '../../operations/chat-in/forms.ts';
import { badRequest } from '../../platform/errors.ts';
import { fitLine } from '../../platform/texts/text.ts';

/** An id of a workspace, a person, a bot or a channel. */
export const id = z.string().regex(/^[A-Z0-9]{1,30}$/i);

/** What stands before `.slack.com`; that of a workspace which sends none is one that leads on to the right one. */
export const domain = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,80}$/i)
  .catch('slack');

/** What someone is called. */
export const name = z.string().max(1_000).catch('');

/** When a message was written, which no other one in its channel has. */
export const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/);

/** Someone in a workspace. */
export function personOf(team: { id: string; domain: string }, id: string, name: string): ChatPerson {
  const named = fitLine(name, 100);
  return { chat: 'SLACK', workspace: team.id, workspaceName: team.domain, id, name: named, handle: named };
}

/** A message as its readers see it: without what Slack makes of links and mentions, whose names it does not send. */
export function plainOf(text: string): string {
  return text
    .replace(/<([@#!]?)([^<>|]{1,3000})(?:\|([^<>]{0,3000}))?>/g, (_, sign: string, target: string, label?: string) => {
      if (sign === '') return label && label !== target ? `${label} (${target})` : target;
      return `${sign === '#' ? '#' : '@'}${label || target}`.replace(/^@@/, '@');
    })
    .replace(/&(lt|gt|amp);/g, (_, entity: 'lt' | 'gt' | 'amp') => ({ lt: '<', gt: '>', amp: '&' })[entity]);
}

/** The thread of a message: ids of channels are the same in all workspaces that share one. */
export function threadOf(channelId: string, messageTs: string): string {
  return `SLACK ${channelId} ${messageTs}`;
}

/** @throws BAD_REQUEST */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The payload is no JSON');
  }
}

/** @throws BAD_REQUEST */
export function parse<T>(form: z.ZodType<T>, value: unknown): T {
  const { data, success } = form.safeParse(value);
  if (!success) throw badRequest('The request is none of Slack for ideas: see docs/capture.md');
  return data;
}
