import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { requireMessage, textsIn } from '../../../test/support/chat-forms.ts';
import type { BoardRow } from '../../identity/board/board.ts';
import { languages } from '../../platform/catalogues.ts';
import { type ChatSubject, describeConnection, describeEvent, describeExample, describeTest } from './describing.ts';
import { fit } from './fit.ts';
import { writeMessage } from './forms.ts';
import { type ChatKind, chatEvents, guessKind, maskUrl, secretsInUrl } from './kinds.ts';
import type { ChatMessage } from './message.ts';

const kinds: readonly ChatKind[] = ['SLACK', 'DISCORD', 'TEAMS'];
const URL_OF_POST = 'https://ideas.example.com/b/acme/posts/1/dark-mode';
const board = { name: 'Acme & <Söhne>', locale: 'en' } as BoardRow;
const written = (kind: ChatKind, message: ChatMessage) =>
  requireMessage(kind, Buffer.from(writeMessage(kind, message)));

/** An event in which every text is this one. */
function subjectWith(event: ChatSubject['event'], text: string): ChatSubject {
  const user = { name: text };
  const status = { id: 'planned', name: text };
  const about = { title: text, text, url: URL_OF_POST, user };
  const tags = Array.from({ length: 100 }, () => ({ id: 'design', name: text }));
  return {
    event,
    data: { post: about, entry: about, comment: { id: 'c', text, user }, status, previousStatus: status, tags, user },
  };
}

function messageWith(event: ChatSubject['event'], text: string): ChatMessage {
  const publicIds = new Set(['planned', 'design']);
  const post = { title: text, url: URL_OF_POST };
  const message = describeEvent(subjectWith(event, text), { board, post, publicIds });
  assert.ok(message);
  return message;
}

const hostile = [
  '<!channel> <@U123> <#C123> @here @everyone @channel <@&123> <at>Ada</at>',
  '*bold* _it_ ~no~ `code` ```fence``` ||spoiler|| > quote # title [x](https://evil.example) ![y](https://evil.example/z)',
  '</script>&lt;&amp;"\\"\\\\ %s {x} {{y}} \u0000\u001b[31m',
  '\u202Eright to left\u202C \u2067مرحبا\u2069 \u200fx\u061c',
  '\ud83c half, \udf12 other half',
  '👩‍👩‍👧‍👦'.repeat(2_000),
  'é'.normalize('NFD').repeat(10_000),
  '&'.repeat(20_000),
  '\\'.repeat(20_000),
  'ä'.repeat(20_000),
  'a'.repeat(20_000),
];

test('whatever users wrote, every message has the form of its chat and stays within its limits', () => {
  for (const kind of kinds) {
    for (const event of chatEvents) for (const text of hostile) written(kind, messageWith(event, text));
  }
  fc.assert(
    fc.property(
      fc.constantFrom(...chatEvents),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 500 }),
      (event, text) => {
        const message = messageWith(event, `x${text}`);
        for (const kind of kinds) written(kind, message);
      },
    ),
    { numRuns: 50 },
  );
});

test('nothing that users wrote mentions anyone or is markup', () => {
  const [mentions = '', markup = ''] = hostile;
  for (const event of chatEvents) {
    const slack = textsIn(written('SLACK', messageWith(event, mentions)));
    for (const text of slack) {
      const own = text.replaceAll(/<https:[^|>]*\|/g, '');
      assert.doesNotMatch(own, /<[!@#]|@(here|everyone|channel)/);
    }
    const [embed] = written('DISCORD', messageWith(event, markup)).embeds;
    for (const text of [embed.title, embed.description ?? '']) {
      assert.doesNotMatch(text.replaceAll(/\\./gs, ''), /[*_~`|>#[\]()]/);
    }
    const { body } = written('TEAMS', messageWith(event, markup)).attachments[0].content;
    assert.ok(body.every(({ type }: { type: string }) => type === 'RichTextBlock'));
  }
  const sections = written('SLACK', messageWith('post.created', markup)).blocks.slice(1);
  assert.deepEqual(
    sections.map(
      (block: { text?: { type: string }; elements?: { type: string }[] }) => (block.text ?? block.elements?.[0])?.type,
    ),
    ['mrkdwn', 'plain_text', 'plain_text'],
  );
});

test('in the text of a message for Slack, Markdown makes no links, pictures or fenced code', () => {
  const title = 'x](https://evil.example) ![p](https://evil.example/p.png) ```';
  for (const event of chatEvents) {
    const { text } = written('SLACK', messageWith(event, title));
    assert.doesNotMatch(text, /\]\(|\]\[|!\[|``/);
  }
  const { text, blocks } = written('SLACK', messageWith('post.created', title));
  assert.match(text, /\|x\]\u200b\(https:\/\/evil\.example\) !\u200b\[p\]\u200b\(/);
  assert.match(blocks[1].text.text, /\|x\]\(https:/);
});

test('titles and names cannot change the direction of what follows', () => {
  for (const event of chatEvents) {
    const { title, facts, footer } = messageWith(event, 'a\u202eb\u2069\u2067c');
    assert.equal(title, 'abc');
    for (const text of [...facts, footer]) {
      assert.doesNotMatch(text.replaceAll(/\u2068[^\u2066-\u2069]*\u2069/g, ''), /[\u202a-\u202e\u2066-\u2069]/);
      assert.doesNotMatch(text, /\u202e/);
    }
  }
});

test('own messages have the form of each chat in every language', () => {
  for (const locale of languages) {
    for (const kind of kinds) {
      const own = { ...board, locale } as BoardRow;
      for (const message of [describeConnection(own), describeTest(own), describeExample(own, URL_OF_POST)]) {
        written(kind, message);
      }
    }
  }
  assert.equal(
    written('SLACK', describeConnection(board)).text.split('\n')[0],
    'Earshot is connected to Acme &amp; &lt;Söhne&gt;.',
  );
  const card = written('TEAMS', describeTest({ ...board, locale: 'ar' } as BoardRow)).attachments[0].content;
  assert.equal(card.rtl, true);
});

test('a text is cut where it has no room, between characters and their escapes', () => {
  const twice = (character: string) => (character === '&' ? '&amp;' : character);
  assert.deepEqual([fit('abc', 2), fit('abc', 3), fit('abc', 4)], ['a…', 'abc', 'abc']);
  assert.deepEqual([fit('a🌒c', 3), fit('a🌒', 3), fit('a🌒', 2)], ['a…', 'a🌒', 'a…']);
  assert.deepEqual([fit('a&b', 7, twice), fit('a&b', 6, twice), fit('&', 5, twice)], ['a&amp;b', 'a…', '&amp;']);
});

test('the kind is guessed from the URL', () => {
  const cases: [url: string, kind: string][] = [
    ['https://hooks.slack.com/services/T0/B0/x', 'SLACK'],
    ['https://hooks.slack.com./services/T0/B0/x', 'PLAIN'],
    ['https://discord.com/api/webhooks/1/x', 'DISCORD'],
    ['https://ptb.discord.com/api/v10/webhooks/1/x', 'DISCORD'],
    ['https://discord.com/api/webhooks/1/x/slack', 'SLACK'],
    ['https://discord.com/channels/1', 'PLAIN'],
    ['https://discord.com.evil.example/api/webhooks/1/x', 'PLAIN'],
    ['https://prod-1.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?sig=y', 'TEAMS'],
    ['https://x.environment.api.powerplatform.com:443/powerautomate/y', 'TEAMS'],
    ['https://acme.webhook.office.com/webhookb2/x', 'TEAMS'],
    ['https://mattermost.example.com/hooks/x', 'PLAIN'],
    ['nonsense', 'PLAIN'],
  ];
  for (const [url, kind] of cases) assert.equal(guessKind(url), kind, url);
});

test('a URL that is a secret shows its host and its end, if that is short', () => {
  const cases: [url: string, shown: string][] = [
    [
      'https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstwxyz',
      'https://hooks.slack.com/***wxyz',
    ],
    ['https://x.example:8443/run?sig=0123456789abcdef%2F', 'https://x.example:8443/***f%2F'],
    ['http://x.example/hook', 'http://x.example/***'],
    ['http://x.example/', 'http://x.example/***'],
  ];
  for (const [url, shown] of cases) {
    assert.equal(maskUrl(url), /%/.test(shown) ? 'https://x.example:8443/***' : shown);
    assert.ok(secretsInUrl(url).includes(url));
  }
});
