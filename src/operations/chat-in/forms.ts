import type { LocalizedMessage } from '../../platform/messages.ts';
import type { Chat } from './settings.ts';

/** Someone in a chat. */
export type ChatPerson = {
  chat: Chat;
  /** The id of the workspace or server. */
  workspace: string;
  /** What people call it. */
  workspaceName: string;
  id: string;
  /** What they like to be called. */
  name: string;
  /** What their account is called, which no other one is. */
  handle: string;
};

/** What someone asks for in a chat. */
export type ChatRequest = {
  /** Differs for each request, and is the same if it comes again. */
  id: string;
  /** When the chat sent it. */
  dateSent: number;
  from: ChatPerson;
} & (
  | { kind: 'command'; text: string }
  /** A message that is to be an idea; `permalink` leads to it, and replies to it come with the same `thread`, if they do. */
  | { kind: 'message'; text: string; author: ChatPerson; permalink: string; thread: string | null }
  /** A button of an earlier answer. */
  | { kind: 'choice'; value: string }
);

/** A button; `value` comes back as a choice. */
export type Choice = { label: LocalizedMessage; value: string };

/** What is answered, for whom asked alone. */
export type ChatAnswer = {
  /** The language of all own words. */
  language: string;
  text: LocalizedMessage;
  /** Similar ideas, each with a button if it takes votes. */
  ideas: readonly { title: string; url: string; choice: Choice | null }[];
  choices: readonly Choice[];
  link: { label: LocalizedMessage; url: string } | null;
};

/** A reply to a message of a chat, which the chat sends on its own, perhaps more than once and in any order. */
export type ChatReply = {
  thread: string;
  /** Of the reply, which no other one in its channel has. */
  id: string;
  /** When it was written. */
  dateSent: number;
  author: ChatPerson;
  text: string;
};

/** A person as the store has them: of the same chat and workspace, always the same. */
export function identityOf({ chat, workspace, id }: ChatPerson): string {
  return `${chat} ${workspace} ${id}`;
}
