import { type ActionFunctionArgs, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import {
  type MailLinkTarget,
  mutePost,
  openMailLink,
  setMailPreferences,
  unsubscribeByLink,
} from '#src/feedback/notifying/preferences.ts';
import { findReaders } from '#src/identity/access/readers.ts';
import { parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { visitContext } from '../lib/visit.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../parts/requests/forms.ts';
import { findFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { preferencesOf, viewPreferences } from './preferences.ts';
import { MailPreferences } from './preferences.tsx';

function openLink({ context, params }: Pick<LoaderFunctionArgs, 'context' | 'params'>): Promise<MailLinkTarget> {
  const visit = context.get(visitContext);
  return orErrorPage(openMailLink({ ...visit, cipher: visit.sender.cipher }, params.token ?? ''));
}

export async function loader(args: LoaderFunctionArgs) {
  const visit = args.context.get(visitContext);
  const { context, user, post, isAboutPost } = await openLink(args);
  const readers = await findReaders(context.db.read, context.board, [user]);
  if (!readers.has(user.id)) throw new Response(null, { status: 404 });
  const frame = await findFrame(visit, `/b/${context.board.pid}`);
  return {
    // In the language of the recipient.
    frame: frame && { ...frame, locale: parseLocale(user.locale ?? visit.languageOn(context.board, null)) },
    board: context.board.name,
    post,
    isAboutPost,
    preferences: viewPreferences(user),
  };
}

/** A form without an intent comes from a mail program, which unsubscribes by one click (RFC 8058). */
export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args.request);
  const target = await openLink(args);
  const visit = args.context.get(visitContext);
  return orFormAnswer(form, async () => {
    const { context, user, post } = target;
    if (form.intent === 'save') visit.personChanged(await setMailPreferences(context, user, preferencesOf(form, user)));
    else if (form.intent === 'unmute') await (post && mutePost(context, user, post.id, false));
    else visit.personChanged(await unsubscribeByLink(target));
    return { isDone: true };
  });
}

/** Where the links of mails lead: what a user gets by mail, without signing in. */
export default function Email() {
  const { board, post, isAboutPost } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const l = useLocale();
  return (
    <PlainPage title={isAboutPost ? m.muteIdea(l) : m.emailsOf(l, { board })}>
      {result && 'isDone' in result && (
        <p className="note" role="status">
          {m.doneSaved(l)}
        </p>
      )}
      {!isAboutPost && <Preferences />}
      {isAboutPost && (post ? <Mute title={post.title} isMuted={post.isMuted} /> : <p>{m.notFoundHelp(l)}</p>)}
    </PlainPage>
  );
}

function Mute({ title, isMuted }: { title: string; isMuted: boolean }) {
  const l = useLocale();
  return (
    <PageForm answer={undefined} intent={isMuted ? 'unmute' : 'mute'}>
      <p dir="auto">
        <strong>{title}</strong>
      </p>
      <p>{isMuted ? m.ideaIsMuted(l) : m.muteIdeaHelp(l)}</p>
      <Submit>{isMuted ? m.unmuteIdea(l) : m.muteIdea(l)}</Submit>
    </PageForm>
  );
}

function Preferences() {
  const { preferences } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <>
      <MailPreferences preferences={preferences} answer={answer} />
      {preferences.frequency !== 'OFF' && (
        <PageForm answer={undefined} intent="unsubscribe">
          <Submit>{m.unsubscribeAll(l)}</Submit>
        </PageForm>
      )}
    </>
  );
}
