import { type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { joinBoard } from '#src/identity/team/members.ts';
import { connect, readConnectLink } from '#src/operations/chat-in/connecting.ts';
import { chatNames } from '#src/operations/chat-in/settings.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { isFailure, wordsOf } from '../parts/requests/failure.ts';
import { formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { formAction, requireSelf } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context, user, account } = await requireSelf(args);
  try {
    const person = readConnectLink(context, visit.sender.cipher, args.params.token ?? '');
    return {
      reason: null,
      chat: chatNames[person.chat],
      person: person.handle || person.id,
      place: [person.id, person.workspaceName].filter(Boolean).join(' · '),
      board: context.board.name,
      self: account ? `${account.name} (${account.email})` : (user?.name ?? ''),
    };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { reason: wordsOf(error) };
  }
}

export const action = formAction(requireSelf, async ({ visit, context, user, account }, { params }) => {
  const token = params.token ?? '';
  // No one becomes a user of the board by a link that connects nothing.
  readConnectLink(context, visit.sender.cipher, token);
  const actor = user ?? (account && (await joinBoard(context, account)));
  if (!actor) throw new Response(null, { status: 403 });
  await connect({ ...context, actor }, visit.sender.cipher, token);
  throw redirect(reportDone(visit, `/b/${context.board.pid}/settings/account?done=saved`));
});

/** Asks whether someone in a chat is the signed-in user: the link may have been sent by another person. */
export default function ConnectChat() {
  const link = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  if (link.reason !== null) {
    return (
      <PlainPage title={m.linkUseless(l)}>
        <p>{link.reason}</p>
      </PlainPage>
    );
  }
  const { chat, person, place, board, self } = link;
  return (
    <PlainPage title={m.chatConnect(l, { chat })}>
      <ul className="stack tight">
        <li>
          {chat}:{' '}
          <strong>
            <bdi>{person}</bdi>
          </strong>{' '}
          <bdi className="muted">{place}</bdi>
        </li>
        <li>
          {board}:{' '}
          <strong>
            <bdi>{self}</bdi>
          </strong>
        </li>
      </ul>
      <p className="note">{m.chatConnectHelp(l, { chat })}</p>
      <PageForm answer={answer}>
        <Submit>{m.chatConnectYes(l)}</Submit>
      </PageForm>
    </PlainPage>
  );
}
