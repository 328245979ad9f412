import { type Attack, addressOf, type Door, eachOf, makeDoor } from '../attack.ts';
import { bodyOf } from '../target.ts';
import { hostileMarkdown, hostileTexts } from '../texts.ts';
import { type Answer, type HostileRequest, send } from '../wire.ts';

/** Bodies that say they are forms, by what is odd about them, with their media type. */
const bodies: Readonly<Record<string, readonly [string, string | Buffer]>> = {
  'many fields': [urlencoded(), 'a&'.repeat(500_000)],
  'many fields with values': [urlencoded(), 'a=b&'.repeat(250_000)],
  'many fields that differ': [urlencoded(), Array.from({ length: 90_000 }, (_, n) => `k${n}=`).join('&')],
  'many signs of equality': [urlencoded(), '='.repeat(1_000_000)],
  'percent signs': [urlencoded(), `text=${'%'.repeat(1_000_000)}`],
  'marks in percent signs': [urlencoded(), `text=${'%CC%81%CC%A3'.repeat(80_000)}`],
  'plus signs': [urlencoded(), `text=${'+'.repeat(1_000_000)}`],
  'one long name': [urlencoded(), `${'a'.repeat(1_000_000)}=b`],
  prototypes: [urlencoded(), '__proto__=a&constructor=b&intent=__proto__&tag:__proto__=1'],
  'an unknown intent': [urlencoded(), 'intent=constructor&text=a'],
  'an intent that is long': [urlencoded(), `intent=reply:${'a'.repeat(500_000)}&text=a`],
  'many tags': [urlencoded(), `intent=tags&${Array.from({ length: 60_000 }, (_, n) => `tag:${n}=on`).join('&')}`],
  nothing: [urlencoded(), ''],
  'more than there may be': [urlencoded(), `text=${'a'.repeat(1_200_000)}`],
  text: ['text/plain', 'intent=comment'],
  JSON: ['application/json', '{"intent":"comment"}'],
  'no media type': ['', 'intent=comment'],
  'an odd media type': ['application/x-www-form-urlencoded; charset=utf-7; charset=utf-8', 'intent=comment'],
  'half a media type': ['multipart/', 'intent=comment'],
  'parts without a boundary': ['multipart/form-data', '--x\r\n\r\n--x--'],
  'parts with an empty boundary': ['multipart/form-data; boundary=', '--\r\n\r\n----'],
  'parts with a long boundary': [`multipart/form-data; boundary=${'-'.repeat(5_000)}`, '-'.repeat(900_000)],
  'many parts': [multipart(), parts(10_000, (n) => [`content-disposition: form-data; name="a${n}"`, 'b'])],
  'many files': [multipart(), parts(6_000, (n) => [`content-disposition: form-data; name="a${n}"; filename="f"`, ''])],
  'parts without a name': [multipart(), parts(5_000, () => ['content-disposition: form-data', 'b'])],
  'parts with many headers': [multipart(), parts(2, () => ['x: y\r\n'.repeat(60_000), 'b'])],
  'parts with a long header': [multipart(), parts(2, () => [`x: ${'y'.repeat(400_000)}`, 'b'])],
  'parts with an odd file name': [
    multipart(),
    parts(3, () => [`content-disposition: form-data; name="a"; filename*=UTF-8''${'%00%ff'.repeat(5_000)}`, 'b']),
  ],
  'parts with quotes': [
    multipart(),
    parts(3, () => [`content-disposition: form-data; name="${'\\"'.repeat(100_000)}"`, 'b']),
  ],
  'parts that do not end': [
    multipart(),
    parts(100, (n) => [`content-disposition: form-data; name="a${n}"`, 'b']).slice(0, -9),
  ],
  'parts that do not begin': [multipart(), '--y\r\n'.repeat(100_000)],
  boundaries: [multipart(), '--x\r\n'.repeat(200_000)],
  'almost boundaries': [
    multipart(),
    `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'\r\n--'.repeat(200_000)}`,
  ],
  'parts in parts': [multipart(), parts(200, () => ['content-type: multipart/mixed; boundary=x', '--x\r\n\r\n--x--'])],
  'random bytes': [multipart(), Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7_919) % 256))],
};

/** Addresses that take forms. */
const places = [
  '/sign-in',
  '/theme',
  '/reset-password',
  'BOARD?index',
  'BOARD/posts/1',
  'BOARD/changelog/new',
  'BOARD/settings/general',
  '/nothing',
];

const sizes = { allowed: 19_500, 'too much': 100_000, 'far too much': 300_000 };

/** Forms with bodies that no page of ours sends, and with texts that are hard to show. */
export const formDoor = makeDoor('forms', {
  ...eachOf(bodies, ([type, body], name) => ({
    [name]: ({ boardPath, ownerHeaders }) =>
      places.map((place) => ({
        path: place.replace(/^BOARD/, boardPath),
        headers: { ...ownerHeaders, 'content-type': type },
        body,
      })),
    [`${name}, of an anonymous visitor`]: ({ boardPath, ownerHeaders: { host = '', origin = '' } }) => ({
      path: `${boardPath}/posts/1`,
      headers: { host, origin, 'content-type': type },
      body,
    }),
  })),
  ...eachOf({ ...hostileMarkdown, ...hostileTexts }, (make, name) =>
    eachOf(sizes, (length, how) => ({
      [`a preview: ${name}, ${how}`]: (target, random) => {
        const text = `${random.text()}\n\n${make(length)}`.toWellFormed();
        const form = (of: Record<string, string>) =>
          formOf(of, `${target.boardPath}/posts/1`, { intent: 'preview', form: 'comment', text });
        const { cookie: _, ...anonymous } = target.ownerHeaders;
        return [form(target.ownerHeaders), form(anonymous)];
      },
    })),
  ),
  ...eachOf({ ...hostileMarkdown, ...hostileTexts }, (make, name) => ({
    [`an idea and a comment: ${name}`]: (target, random) => {
      const text = `${random.text()}\n\n${make(19_500)}`;
      const forms = [
        { path: `${target.boardPath}?index`, fields: { title: text.slice(0, 190), comment: text, formId: '' } },
        { path: `${target.boardPath}/posts/1`, fields: { intent: 'comment', text } },
        { path: `${target.boardPath}/posts/1`, fields: { intent: `reply:${target.commentId}`, text } },
      ];
      return forms.map(({ path, fields }) => formOf(target.ownerHeaders, path, fields));
    },
  })),
  ...eachOf(hostileTexts, (make, name) => ({
    [`a sign-in: ${name}`]: ({ ownerHeaders: { host = '', origin = '' } }, random) =>
      [200, 20_000, 150_000].flatMap((length) => {
        const email = `${make(length)}${random.text()}@b.example`;
        const headers = { host, origin, 'content-type': urlencoded() };
        return [
          formOf(headers, '/sign-in', { intent: 'link', email }),
          formOf(headers, '/sign-in', { intent: 'password', email, password: make(length) }),
          formOf(headers, '/reset-password', { email }),
        ];
      }),
  })),
});

/** Pages whose forms are looked for, and filled in with hostile texts. */
const pagesWithForms = [
  ...['/sign-in', '/reset-password', 'BOARD', 'BOARD/posts/1', 'BOARD/posts/1?edit=post', 'BOARD/setup/2'],
  ...[
    'general',
    'access',
    'members',
    'sso',
    'apis',
    'apis/new',
    'webhooks',
    'webhooks/new',
    'export',
    'mail',
    'profile',
    'notifications',
    'account',
  ].map((page) => `BOARD/settings/${page}`),
];

/** The forms that the pages have, whichever they are, each filled in with a text that is hard to read. */
export const everyFormDoor: Door = {
  name: 'every form',
  attacks: pagesWithForms.map(
    (page): Attack => ({
      name: `every form: ${page}`,
      async carryOut(target, random) {
        const path = page.replace(/^BOARD/, target.boardPath);
        const ask = (request: HostileRequest) =>
          send(target.port, { ...request, headers: { 'x-forwarded-for': addressOf(random), ...request.headers } });
        const shown = await ask({ path, headers: target.ownerHeaders });
        const answers: Answer[] = [shown];
        for (const { action, fields } of findForms(bodyOf(shown.text), path)) {
          const makers = Object.values({ ...hostileTexts, ...hostileMarkdown });
          for (const field of fields) {
            const length = random.pick([150, 19_000, 120_000]) ?? 0;
            const hostile = `${random.pick(makers)?.(length)}`.toWellFormed();
            const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
            const answer = await ask(formOf(target.ownerHeaders, action, { ...values, [field.name]: hostile }));
            answers.push({ ...answer, text: answer.status === 500 ? answer.text : '' }); // pages add up to gigabytes
          }
        }
        return answers;
      },
    }),
  ),
};

type FoundForm = { action: string; fields: { name: string; value: string }[] };

/** The forms of a page that leave the visitor signed in. */
function findForms(html: string, path: string): FoundForm[] {
  const forms = [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)];
  return forms.flatMap(([, attributes = '', content = '']) => {
    const action = attributeOf(attributes, 'action') ?? path;
    if (!/method="post"/i.test(attributes) || /sign-out/.test(action)) return [];
    const controls = [...content.matchAll(/<(?:input|textarea|select|button)([^>]*)>/g)];
    const fields = controls.flatMap(([, own = '']) => {
      const name = attributeOf(own, 'name');
      return name === null ? [] : { name, value: attributeOf(own, 'value') ?? 'a' };
    });
    return { action, fields };
  });
}

function attributeOf(attributes: string, name: string): string | null {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? null;
}

function formOf(headers: Record<string, string>, path: string, fields: Record<string, string>): HostileRequest {
  return { path, headers, body: new URLSearchParams(fields).toString() };
}

function urlencoded(): string {
  return 'application/x-www-form-urlencoded';
}

function multipart(): string {
  return 'multipart/form-data; boundary=x';
}

function parts(count: number, part: (n: number) => readonly [headers: string, body: string]): string {
  const made = Array.from({ length: count }, (_, n) => {
    const [headers, body] = part(n);
    return `--x\r\n${headers}\r\n\r\n${body}\r\n`;
  });
  return `${made.join('')}--x--\r\n`;
}
