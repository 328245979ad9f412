import { type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { addSubscriber } from '#src/feedback/changelog/subscribers.ts';
import { readConfirmToken } from '#src/feedback/changelog/subscription-links.ts';
import { requireBoard } from '#src/identity/board/board.ts';
import { parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { isFailure, orErrorPage, wordsOf } from '../parts/requests/failure.ts';
import { findFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';

type Args = Pick<LoaderFunctionArgs, 'context' | 'params'>;

async function openLink({ context, params }: Args) {
  const visit = context.get(visitContext);
  const { boardId, ...subscription } = readConfirmToken(visit.sender.cipher, params.token ?? '', visit.clock.now());
  return { visit, subscription, board: await requireBoard(visit.db.read, boardId) };
}

export async function loader(args: Args) {
  try {
    const { visit, subscription, board } = await openLink(args);
    const frame = await findFrame(visit, `/b/${board.pid}`);
    return {
      // In the language of the mail.
      frame: frame && { ...frame, locale: parseLocale(subscription.locale) },
      board: board.name,
      email: subscription.address,
      error: null,
    };
  } catch (error) {
    if (isFailure(error) && error.extensions.code === 'BAD_REQUEST') {
      return { frame: null, board: '', email: '', error: wordsOf(error) };
    }
    return orErrorPage(Promise.reject(error));
  }
}

export async function action(args: Args) {
  const { visit, subscription, board } = await orErrorPage(openLink(args));
  await addSubscriber(visit.db, board.id, subscription, visit.clock.now());
  return { isDone: true };
}

/** Where the link of a mail leads that confirms a subscription: programs that check mail open it, and only people press. */
export default function Confirm() {
  const { board, email, error } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const l = useLocale();
  if (error !== null) {
    return (
      <PlainPage title={m.subscribeConfirm(l)}>
        <p className="note" data-kind="error" role="alert">
          {error}
        </p>
      </PlainPage>
    );
  }
  return (
    <PlainPage title={result ? m.changelogByMail(l) : m.subscribeConfirm(l)}>
      {result ? (
        <p className="note" role="status">
          {m.subscribedAs(l, { email })}
        </p>
      ) : (
        <PageForm answer={undefined}>
          <p>{m.subscribeConfirmHelp(l, { board, email })}</p>
          <Submit>{m.confirm(l)}</Submit>
        </PageForm>
      )}
    </PlainPage>
  );
}
