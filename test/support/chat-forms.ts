import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ChatKind } from '../../src/webhooks/chat/kinds.ts';

/** What of Microsoft's own library for Adaptive Cards is used; its package cannot be imported as a module in Node. */
type Cards = {
  AdaptiveCard: new () => {
    parse(source: unknown, context: object): void;
    validateProperties(): { validationEvents: { message: string }[] };
  };
  SerializationContext: new (version: object) => { eventCount: number; getEventAt(n: number): { message: string } };
  Versions: { v1_5: object };
};
const cards: Cards = createRequire(import.meta.url)('adaptivecards/dist/adaptivecards.js');

const strict = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const plain = (max: number) => strict({ type: { const: 'plain_text' }, text: text(max), emoji: { type: 'boolean' } });
const mrkdwn = (max: number) => strict({ type: { const: 'mrkdwn' }, text: text(max) });
const anyText = (max: number) => ({ oneOf: [plain(max), mrkdwn(max)] });
const block = (type: string, properties: object) => strict({ type: { const: type }, ...properties });

/** From docs.slack.dev: "Block Kit" (header, section and context blocks, text object), and "Incoming webhooks". */
const slack = strict({
  text: text(3_000),
  blocks: {
    type: 'array',
    maxItems: 50,
    items: {
      oneOf: [
        block('header', { text: plain(150) }),
        block('section', { text: anyText(3_000) }),
        block('context', { elements: { type: 'array', minItems: 1, maxItems: 10, items: anyText(2_000) } }),
      ],
    },
  },
  unfurl_links: { type: 'boolean' },
  unfurl_media: { type: 'boolean' },
});

/** As in discord/discord-api-spec: IncomingWebhookRequestPartial, RichEmbed, MessageAllowedMentionsRequest. */
const discord = strict({
  allowed_mentions: strict({ parse: { type: 'array', maxItems: 0 } }),
  embeds: {
    type: 'array',
    minItems: 1,
    maxItems: 10,
    items: strict(
      {
        author: strict({ name: text(256) }),
        title: text(256),
        url: { type: 'string', maxLength: 2_048, pattern: '^https?://' },
        description: text(4_096),
        footer: strict({ text: text(2_048) }),
      },
      ['title', 'footer'],
    ),
  },
});

/** From learn.microsoft.com: "Create incoming webhooks with Workflows"; the card itself is checked by Microsoft's library. */
const teams = strict({
  type: { const: 'message' },
  attachments: {
    type: 'array',
    minItems: 1,
    maxItems: 1,
    items: strict({
      contentType: { const: 'application/vnd.microsoft.card.adaptive' },
      contentUrl: { type: 'null' },
      content: { type: 'object' },
    }),
  },
});

const ajv = new Ajv2020({ allErrors: true, strict: true });
const schemas = { SLACK: ajv.compile(slack), DISCORD: ajv.compile(discord), TEAMS: ajv.compile(teams) };
/** Maximum bytes of a message: 28 KB in Teams. The others limit only its texts. */
const MAX_BYTES = 28_000;

/** Checks that a chat would take the body of a message, and returns the message. */
// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every form
export function requireMessage(kind: ChatKind, body: Buffer): any {
  const message = JSON.parse(body.toString('utf8'));
  const validate: ValidateFunction = schemas[kind];
  const isValid: boolean = validate(message);
  assert.ok(isValid, JSON.stringify([validate.errors, message]));
  assert.ok(body.length <= MAX_BYTES, `${body.length} bytes`);
  assert.ok(textsIn(message).every((each) => each.isWellFormed()));
  if (kind === 'DISCORD') assert.ok(textsIn(message.embeds).join('').length <= 6_000);
  if (kind === 'TEAMS') requireCard(message.attachments[0].content);
  return message;
}

function requireCard(content: unknown): void {
  const context = new cards.SerializationContext(cards.Versions.v1_5);
  const card = new cards.AdaptiveCard();
  card.parse(content, context);
  const parsed = Array.from({ length: context.eventCount }, (_, n) => context.getEventAt(n).message);
  const found = [...parsed, ...card.validateProperties().validationEvents.map(({ message }) => message)];
  assert.deepEqual(found, []);
}

/** All texts in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
