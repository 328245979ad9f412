import { verify } from 'node:crypto';
import * as z from 'zod';
import type { ChatAnswer, ChatPerson, ChatRequest, Choice } from '../../operations/chat-in/forms.ts';
import { readPublicKey } from '../../operations/chat-in/settings.ts';
import { translate } from '../../platform/catalogues.ts';
import { badRequest } from '../../platform/errors.ts';
import type { LocalizedMessage } from '../../platform/messages.ts';
import { fitLine } from '../../platform/texts/text.ts';
import { escapeMarkdown } from '../../webhooks/chat/discord.ts';
import { asIs, fit } from '../../webhooks/chat/fit.ts';
import type { ChatProduct } from './product.ts';

/** Maximum lengths that Discord takes, in UTF-16 units. */
const MAX = { content: 2_000, title: 250, button: 80 } as const;

/** Kinds of interactions, of commands, of responses and of components, by their numbers at Discord. */
const KIND = { ping: 1, command: 2, component: 3 } as const;
const COMMAND = { slash: 1, message: 3 } as const;
const RESPONSE = { pong: 1, message: 4, update: 7 } as const;
const COMPONENT = { row: 1, button: 2 } as const;
const STYLE = { primary: 1, secondary: 2, link: 5 } as const;
/** Only who asked sees it. */
const EPHEMERAL = 64;

const snowflake = z.string().regex(/^\d{1,25}$/);
const user = z.object({ id: snowflake, username: z.string().max(200), global_name: z.string().max(200).nullish() });
const common = {
  id: snowflake,
  guild_id: snowflake.nullish(),
  channel_id: snowflake.nullish(),
  member: z.object({ user }).nullish(),
  user: user.nullish(),
};

/** See https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object */
const INTERACTION = z.discriminatedUnion('type', [
  z.object({ type: z.literal(KIND.ping) }),
  z.object({
    ...common,
    type: z.literal(KIND.command),
    data: z.discriminatedUnion('type', [
      z.object({
        type: z.literal(COMMAND.slash),
        options: z.array(z.object({ name: z.string(), value: z.unknown() })).default([]),
      }),
      z.object({
        type: z.literal(COMMAND.message),
        target_id: snowflake,
        resolved: z.object({
          messages: z.record(
            z.string(),
            z.object({ id: snowflake, channel_id: snowflake, content: z.string().max(10_000), author: user }),
          ),
        }),
      }),
    ]),
  }),
  z.object({ ...common, type: z.literal(KIND.component), data: z.object({ custom_id: z.string().max(100) }) }),
]);

type Interaction = z.infer<typeof INTERACTION>;
type Asking = Exclude<Interaction, { type: 1 }>;

/** Discord: `/idea`, a command on messages, and the buttons of the answers. */
export const discord: ChatProduct = {
  chat: 'DISCORD',
  /** See https://discord.com/developers/docs/interactions/overview#setting-up-an-endpoint-validating-security-request-headers */
  verify(headers, body, secret) {
    const seconds = String(headers['x-signature-timestamp'] ?? '');
    const signature = String(headers['x-signature-ed25519'] ?? '');
    const isSigned =
      /^[0-9a-f]{128}$/i.test(signature) &&
      verify(null, Buffer.concat([Buffer.from(seconds), body]), readPublicKey(secret), Buffer.from(signature, 'hex'));
    return { seconds, isSigned };
  },
  parse(body, dateSent) {
    const interaction = parse(body);
    if (interaction.type === KIND.ping) return { request: null, reply: { body: { type: RESPONSE.pong } } };
    const asker = interaction.member?.user ?? interaction.user;
    if (!asker) throw badRequest('The interaction has no user');
    const from = personOf(interaction, asker);
    const type = interaction.type === KIND.component ? RESPONSE.update : RESPONSE.message;
    return {
      request: { id: interaction.id, dateSent, from, ...askedIn(interaction) },
      reply: (answer) => ({ body: { type, data: write(answer) } }),
    };
  },
};

type Specific<R> = R extends ChatRequest ? Omit<R, 'id' | 'dateSent' | 'from'> : never;

function askedIn(interaction: Asking): Specific<ChatRequest> {
  if (interaction.type === KIND.component) return { kind: 'choice', value: interaction.data.custom_id };
  const { data, guild_id } = interaction;
  if (data.type === COMMAND.slash) {
    const text = data.options.find(({ name }) => name === 'text')?.value;
    return { kind: 'command', text: typeof text === 'string' ? text : '' };
  }
  const message = data.resolved.messages[data.target_id];
  if (!message) throw badRequest('The interaction has no message');
  return {
    kind: 'message',
    text: message.content,
    author: personOf(interaction, message.author),
    permalink: `https://discord.com/channels/${guild_id ?? '@me'}/${message.channel_id}/${message.id}`,
    // Discord sends messages only over a socket that stays open.
    thread: null,
  };
}

/** Ids of users are the same on all servers, and so is who they are. What they like to be called is not whose account it is. */
function personOf({ guild_id }: Asking, { id, username, global_name }: z.infer<typeof user>): ChatPerson {
  return {
    chat: 'DISCORD',
    workspace: '',
    workspaceName: guild_id ?? '',
    id,
    name: fitLine(global_name || username, 100),
    handle: fitLine(`@${username}`, 100),
  };
}

/** An answer that only who asked sees, which mentions no one. What users wrote is escaped. */
function write({ language, text, ideas, choices, link }: ChatAnswer) {
  const say = ({ parts }: LocalizedMessage) => translate(language, parts);
  const button = (label: string, { value }: Choice, style: number) => ({
    type: COMPONENT.button,
    style,
    label: fit(label, MAX.button, asIs),
    custom_id: value,
  });
  const buttons = [
    ...ideas.flatMap(({ choice }, n) =>
      choice ? [button(`${n + 1}. ${say(choice.label)}`, choice, STYLE.secondary)] : [],
    ),
    ...choices.map((choice) => button(say(choice.label), choice, STYLE.primary)),
    // A button with a link takes 512 characters, which a link to connect does not fit into.
  ];
  return {
    flags: EPHEMERAL,
    allowed_mentions: { parse: [] },
    content: fit(say(text), MAX.content, escapeMarkdown),
    embeds: [
      ...ideas.map(({ title, url }, n) => ({ title: `${n + 1}. ${fit(title, MAX.title, escapeMarkdown)}`, url })),
      ...(link ? [{ title: fit(say(link.label), MAX.title, escapeMarkdown), url: link.url }] : []),
    ],
    components: buttons.length > 0 ? [{ type: COMPONENT.row, components: buttons }] : [],
  };
}

function parse(body: Buffer): Interaction {
  try {
    return INTERACTION.parse(JSON.parse(body.toString()));
  } catch {
    throw badRequest('The request is none of Discord for ideas: see docs/capture.md');
  }
}
