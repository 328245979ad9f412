import { type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { findSubscriber, removeSubscribers } from '#src/feedback/changelog/subscribers.ts';
import { readEndToken } from '#src/feedback/changelog/subscription-links.ts';
import { requireBoard } from '#src/identity/board/board.ts';
import { parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { findFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';

type Args = Pick<LoaderFunctionArgs, 'context' | 'params'>;

async function openLink({ context, params }: Args) {
  const visit = context.get(visitContext);
  const { boardId, address } = readEndToken(visit.sender.cipher, params.token ?? '');
  return { visit, address, board: await requireBoard(visit.db.read, boardId) };
}

export async function loader(args: Args) {
  const { visit, address, board } = await orErrorPage(openLink(args));
  const subscriber = await findSubscriber(visit.db.read, board.id, address);
  const frame = await findFrame(visit, `/b/${board.pid}`);
  return {
    // In the language of the mails.
    frame: frame && { ...frame, locale: parseLocale(subscriber?.locale ?? board.locale) },
    board: board.name,
    email: address,
    isSubscribed: subscriber !== null,
  };
}

/** Takes the one click of mail programs, too (RFC 8058). */
export async function action(args: Args) {
  const { visit, address, board } = await orErrorPage(openLink(args));
  await visit.db.transaction((tx) => removeSubscribers(tx, board.id, [address]));
  return { isDone: true };
}

/** Where the links of mails about changelog entries lead that end them. */
export default function End() {
  const { board, email, isSubscribed } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const l = useLocale();
  return (
    <PlainPage title={m.changelogByMail(l)}>
      {result || !isSubscribed ? (
        <p className="note" role="status">
          {m.unsubscribed(l, { email })}
        </p>
      ) : (
        <PageForm answer={undefined}>
          <p>{m.unsubscribeHelp(l, { board, email })}</p>
          <Submit>{m.unsubscribe(l)}</Submit>
        </PageForm>
      )}
    </PlainPage>
  );
}
