import jsonwebtoken from 'jsonwebtoken';
import type { TestApp } from './app.ts';
import { textOfMail } from './sender.ts';
import { PATIENCE_MS } from './until.ts';
import type { TestWeb, WebVisitor } from './web.ts';

/** A visitor who has signed in with a mailed code just now, to an account without a password. */
export async function comeByCode(web: TestWeb, email: string): Promise<WebVisitor> {
  const visitor = web.makeVisitor();
  await visitor.post('/sign-in', { intent: 'link', email, next: '/b/acme' });
  const { statusCode } = await visitor.post('/sign-in', { intent: 'code', code: await takeCode(web, email) });
  if (statusCode !== 302) throw new Error(`${email} could not sign in: ${statusCode}`);
  await ageSessions(web, 0);
  return visitor;
}

/** The code of the newest mail to an address, which is then forgotten. */
export async function takeCode({ db }: TestApp, recipient: string): Promise<string> {
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    const query = db.read.selectFrom('mails').selectAll().where('recipient', '=', recipient);
    const mail = await query.orderBy('id', 'desc').limit(1).executeTakeFirst();
    const code = mail && /code: (\d{6})$/m.exec(textOfMail(mail))?.[1];
    if (code) {
      await db.transaction((tx) => tx.deleteFrom('mails').where('id', '=', mail.id).execute());
      return code;
    }
    if (performance.now() > end) throw new Error(`No code for ${recipient}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Makes all sessions begin so long ago by the clock of the test; by themselves they begin by that of the machine. */
export async function ageSessions({ db, clock }: TestApp, milliseconds: number): Promise<void> {
  const set = { date_created: clock.now() - milliseconds };
  await db.transaction((tx) => tx.updateTable('sessions').set(set).execute());
}

/** A visitor who has come by single sign-on, whom the owner has turned on. */
export async function comeBySso(web: TestWeb, owner: WebVisitor, claims: object): Promise<WebVisitor> {
  await owner.post('/b/acme/settings/sso', { intent: 'save', algorithm: 'HS256' });
  const { payload } = await owner.post('/b/acme/settings/sso', { intent: 'rotate' });
  const secret = /<code class="secret"[^>]*>([\w-]{43})<\/code>/.exec(payload)?.[1] ?? '';
  const exp = Math.floor(web.clock.now() / 1_000) + 300;
  const visitor = web.makeVisitor();
  const { statusCode } = await visitor.get(
    `/b/acme/sso/${jsonwebtoken.sign({ exp, ...claims }, secret, { noTimestamp: true })}`,
  );
  if (statusCode !== 303) throw new Error(`Single sign-on failed: ${statusCode}`);
  return visitor;
}
