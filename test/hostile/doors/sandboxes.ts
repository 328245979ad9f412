import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, addressOf, type Door } from '../attack.ts';
import { apiRequest, bodyOf } from '../target.ts';
import { hostileMarkdown, hostileTexts } from '../texts.ts';
import { type Answer, type HostileRequest, send } from '../wire.ts';

const PATH = '/api/v1/sandbox/board';
/** Keys that a server does not know it looks for once in a while. */
const NEW_KEY_MS = 200;
const COMMENT =
  'mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text, type: INTERNAL) { id } }';
const CREATE_USER = `mutation($id: String!, $text: JSON) {
  createUser(ssotype: "SSO", userId: $id, attributes: $text) { id }
}`;

/** What an anonymous visitor does with a board of their own and the key of its owner. */
function inSandbox(
  name: string,
  requests: (postId: string, headers: Record<string, string>) => HostileRequest[],
): Attack {
  return {
    name: `sandboxes: ${name}`,
    async carryOut({ port }, random) {
      const sender = { 'x-forwarded-for': addressOf(random) };
      const made = await send(port, { method: 'POST', path: PATH, headers: sender });
      if (made.status !== 201) return [made];
      const { headers, postId } = JSON.parse(bodyOf(made.text));
      await delay(NEW_KEY_MS);
      const answers: Answer[] = [made];
      for (const request of requests(postId, { ...headers, ...sender, 'content-type': 'application/json' })) {
        answers.push(await send(port, request));
      }
      return answers;
    },
  };
}

/** The sandbox, which makes every visitor the owner of a board. */
export const sandboxDoor: Door = {
  name: 'sandboxes',
  attacks: [
    inSandbox('internal comments, as long as they may be', (postId, headers) =>
      Object.values(hostileMarkdown)
        .slice(0, 15)
        .map((make) => apiRequest(headers, COMMENT, { id: postId, text: make(19_900) })),
    ),
    inSandbox('attributes of people', (_, headers) =>
      Object.values(hostileTexts)
        .slice(0, 15)
        .map((make, n) => apiRequest(headers, CREATE_USER, { id: `user${n}`, text: { a: make(30_000) } })),
    ),
    inSandbox('its page with hostile comments', (postId, headers) => [
      ...Object.values(hostileMarkdown)
        .slice(-12)
        .map((make) =>
          apiRequest(headers, COMMENT.replace(', type: INTERNAL', ''), { id: postId, text: make(19_900) }),
        ),
      apiRequest(headers, '{ comments(limit: 100) { nodes { text post { content } } } }'),
      { path: '/api/csv?comments=true&votes=true', headers },
    ]),
    {
      name: 'sandboxes: cookies and origins',
      async carryOut({ port }, random) {
        const answers: Answer[] = [];
        for (const own of [
          { cookie: `earshot_sandbox=${'x'.repeat(9_000)}` },
          { cookie: 'earshot_sandbox=%00' },
          { cookie: `earshot_sandbox=esk_${'a'.repeat(43)}` },
          { origin: 'http://evil.example' },
          { 'sec-fetch-site': 'cross-site' },
          { 'content-type': 'application/json' },
        ]) {
          const headers = { 'x-forwarded-for': addressOf(random), ...own };
          answers.push(await send(port, { method: 'DELETE', path: PATH, headers }));
          answers.push(await send(port, { path: `/api/v1/sandbox/requests?after=${'%00a'.repeat(900)}`, headers }));
          answers.push(await send(port, { path: '/api/v1/sandbox/inbox/x', headers, body: '{"a":'.repeat(100_000) }));
        }
        return answers;
      },
    },
  ],
};
