import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { findBoard } from '#src/identity/board/board.ts';
import type { Visit } from '../../src/pages/visit.ts';
import * as m from '../i18n/messages.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../lib/forms.ts';
import { leadsToDrafts } from '../lib/joining.ts';
import { useLocale } from '../lib/locale.ts';
import { homeOf } from '../lib/member.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { findLoginUrl } from '../lib/sso.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit, TextField } from '../ui/form.tsx';
import { PlainPage } from '../ui/plain-page.tsx';

export async function loader({ context, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const next = parseNext(url.searchParams.get('next'));
  if (await visit.access.current()) throw redirect(next ?? (await homeOf(visit)));
  const providers = visit.access.withProvider.providers.map(({ id, name }) => ({ id, name }));
  return { next, hasDraft: leadsToDrafts(next), sso: await findSso(visit, next), providers };
}

/** The single sign-on of the board that a visitor comes from. */
async function findSso(visit: Visit, next: string | null) {
  const pid = /^\/b\/([^/?#]+)/.exec(next ?? '')?.[1];
  const board = pid ? await findBoard(visit.db.read, pid) : null;
  return board && (await findLoginUrl(visit, board)) ? { path: `/b/${board.pid}/sso`, board: board.name } : null;
}

export async function action({ context, request }: ActionFunctionArgs) {
  const visit = context.get(visitContext);
  const form = await readForm(request);
  const { email = '', password = '', intent } = form;
  return orFormAnswer(form, async () => {
    const next = parseNext(form.next);
    if (intent === 'link') {
      await visit.access.requestLink(email, next);
      return { linkSentTo: email, hasDraft: leadsToDrafts(next) };
    }
    const state = await visit.access.signIn(email, password);
    // Who that is, only the next request knows: the cookie is on its way.
    throw redirect(withNext(state === 'code' ? '/sign-in/code' : '/sign-in', next));
  });
}

export default function SignIn() {
  const { next, hasDraft, sso, providers } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  if (result && 'linkSentTo' in result) {
    return (
      <PlainPage title={m.mailSent(l)}>
        <p>{m.linkOnItsWay(l, { email: result.linkSentTo })}</p>
        {result.hasDraft && <p>{m.linkSameBrowser(l)}</p>}
      </PlainPage>
    );
  }
  return (
    <PlainPage title={m.signIn(l)}>
      {hasDraft && <p className="note">{m.draftKept(l)}</p>}
      {sso && (
        <Link className="button" reloadDocument to={withNext(sso.path, next)}>
          {m.ssoContinue(l, { board: sso.board })}
        </Link>
      )}
      {providers.map(({ id, name }) => (
        <Link key={id} className="button" reloadDocument to={withNext(`/sign-in/with/${id}`, next)}>
          {m.ssoContinue(l, { board: name })}
        </Link>
      ))}
      <PageForm answer={answer} intent="link" aria-label={m.sendLink(l)}>
        <input type="hidden" name="next" value={next ?? ''} />
        <TextField name="email" type="email" label={m.email(l)} help={m.linkHelp(l)} autoComplete="email" required />
        <Submit kind={hasDraft ? 'primary' : 'plain'}>{m.sendLink(l)}</Submit>
      </PageForm>
      <hr className="rule" />
      <PageForm answer={answer} intent="password" aria-label={m.signIn(l)}>
        <input type="hidden" name="next" value={next ?? ''} />
        <TextField name="email" type="email" label={m.email(l)} autoComplete="username" required />
        <TextField name="password" type="password" label={m.password(l)} autoComplete="current-password" required />
        <Submit kind={hasDraft ? 'plain' : 'primary'}>{m.signIn(l)}</Submit>
      </PageForm>
      <p className="small">
        <Link to="/reset-password">{m.forgotPassword(l)}</Link>
      </p>
    </PlainPage>
  );
}
