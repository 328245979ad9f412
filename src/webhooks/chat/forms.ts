import { escapeJson } from '../../events/events.ts';
import { writeDiscord } from './discord.ts';
import type { ChatKind } from './kinds.ts';
import type { ChatMessage } from './message.ts';
import { writeSlack } from './slack.ts';
import { writeTeams } from './teams.ts';

const writers = { SLACK: writeSlack, DISCORD: writeDiscord, TEAMS: writeTeams } as const;

/** The body of a message in the form of a chat. */
export function writeMessage(kind: ChatKind, message: ChatMessage): string {
  return escapeJson(writers[kind](message));
}
