import type { IncomingHttpHeaders } from 'node:http';
import type { ChatAnswer, ChatReply, ChatRequest } from '../../operations/chat-in/forms.ts';
import type { Chat } from '../../operations/chat-in/settings.ts';

/** A response, and what is posted to the chat before it, if its answers are taken at an address of their own. */
export type Reply = { body: object | null; post?: { url: string; body: object } };

/** What a request asks for, or a reply that was heard; one that only checks the address, or that nothing comes of, is answered as given. */
export type Parsed =
  | { request: ChatRequest; reply(answer: ChatAnswer): Reply }
  | { request: null; reply: Reply }
  | { heard: ChatReply };

/** How a chat proves, sends and is answered requests. */
export type ChatProduct = {
  chat: Chat;
  /** Whether the chat signed these bytes, and when, in seconds. */
  verify(headers: IncomingHttpHeaders, body: Buffer, secret: string): { seconds: string; isSigned: boolean };
  /** @throws BAD_REQUEST */
  parse(body: Buffer, dateSent: number): Parsed;
};
