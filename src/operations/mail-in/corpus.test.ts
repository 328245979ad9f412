import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type MailIn, readMail, testMailIn } from '../../../test/support/mail-in.ts';
import { addUsers, startNotifying } from '../../../test/support/notifying.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { renderMarkdown } from '../../platform/texts/markdown.ts';
import type { Outcome } from './outcome.ts';

const FOLDER = fileURLToPath(new URL('../../../test/support/mails/', import.meta.url));
const FILES = globSync('*/*.eml', { cwd: FOLDER }).sort();
/** What becomes of each mail; `MAILS_TABLE=write` writes it again. Review the difference: it is what is promised. */
const TABLE = `${FOLDER}outcomes.md`;
const HEAD = '| mail | becomes | by, or why | title | text | files |\n|---|---|---|---|---|---|\n';
/** What the page of an idea must not have of a mail. */
const ACTIVE =
  /<(?:script|style|img|svg|iframe|object|form|input|base|meta|link|video)\b|<[^>]*(?:\son\w+=|javascript:|vbscript:|data:)/i;
/** Characters of a text that the table has. */
const SHOWN = 200;

const READ = `query($id: String!) { post(id: $id) { title author { name email } files { name }
  comments { nodes { id text isFirst files { name } user { name email } } } } }`;

testMailIn('mails of many makes, and made to do harm, become what their table says', async (mailIn, t) => {
  await addUsers(mailIn.app, 'lina', 'mo');
  mailIn.records.set('_dmarc.strict.example', 'v=DMARC1; p=reject');
  const { postId, address } = await askByMail(t, mailIn);
  const totals: Record<string, number> = {};
  let table = HEAD;
  for (const file of FILES) {
    mailIn.app.clock.advance(HOUR_MS);
    const outcome = await handOver(mailIn, file, address);
    const kind = kindOf(outcome);
    totals[kind] = (totals[kind] ?? 0) + 1;
    table += `| ${[file.replace('.eml', ''), kind, ...(await contentOf(mailIn, outcome, postId))].join(' | ')} |\n`;
  }
  t.diagnostic(`${FILES.length} mails: ${JSON.stringify(totals)}`);
  if (process.env.MAILS_TABLE === 'write') writeFileSync(TABLE, table);
  assert.deepEqual(table.split('\n'), readFileSync(TABLE, 'utf8').split('\n'));
});

/** An idea of lina's, and the address to which she answers a comment on it. */
async function askByMail(t: TestContext, { app, deps }: MailIn): Promise<{ postId: string; address: string }> {
  const notifying = await startNotifying(t, app, undefined, deps.replies);
  const postId = await app.makePost('Dark mode', { as: 'lina' });
  await notifying.deliverAfter();
  await app.api.createComment({ postId, text: 'Would grey do?' });
  const [mail] = await notifying.deliverAfter();
  return { postId, address: mail?.headers['reply-to'] ?? '' };
}

/** A mail from example.com is signed by it, except those of the folder `forged`; `reply@` stands for the address of answers. */
function handOver({ send }: MailIn, file: string, address: string): Promise<Outcome> {
  const raw = readMail(file.replace('.eml', '')).toString('latin1');
  const isAnswer = /^To: reply@/m.test(raw);
  const mail = Buffer.from(raw.replace(/^To: reply@.*?(?=\r)/m, `To: ${address}`), 'latin1');
  const isSigned = /^From:.*@example\.com/m.test(raw) && !file.startsWith('forged/');
  return send(mail, { isSigned, ...(isAnswer && { to: address }) });
}

function kindOf(outcome: Outcome): string {
  if (!('isHeld' in outcome)) return outcome.kind;
  return `${outcome.kind}${outcome.isHeld ? ' that waits' : ''}`;
}

type Content = { text: string; files: { name: string }[]; user: { name: string; email: string } };

async function contentOf({ app }: MailIn, outcome: Outcome, answered: string): Promise<string[]> {
  if (!('id' in outcome)) return [outcome.reason, '', '', ''];
  const { post } = await app.ask(READ, { id: outcome.kind === 'idea' ? outcome.id : answered });
  const of = ({ id, isFirst }: { id: string; isFirst: boolean }) =>
    outcome.kind === 'idea' ? isFirst : id === outcome.id;
  const comment: Content | undefined = post.comments.nodes.find(of);
  assert.doesNotMatch(renderMarkdown(comment?.text ?? ''), ACTIVE);
  const { name, email } = outcome.kind === 'idea' ? post.author : (comment?.user ?? {});
  const files: { name: string }[] = outcome.kind === 'idea' ? post.files : (comment?.files ?? []);
  return [
    `${name} ${email}`,
    outcome.kind === 'idea' ? post.title : '',
    comment?.text ?? '',
    files.map((file) => file.name).join(', '),
  ].map(cell);
}

/** A text in one cell, with what cannot be seen as its number. */
function cell(text: string): string {
  const shown = [...text].length > SHOWN ? `${[...text].slice(0, SHOWN).join('')}… (${[...text].length})` : text;
  return shown
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll('\n', '⏎')
    .replace(/[\p{Cc}\p{Cf}\p{Co}]/gu, (sign) => `{U+${(sign.codePointAt(0) ?? 0).toString(16)}}`)
    .trim();
}
