import { type ActionFunctionArgs, type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import {
  type MailLinkTarget,
  mutePost,
  openMailLink,
  setMailPreferences,
  unsubscribeByLink,
} from '#src/feedback/notifying/preferences.ts';
import { isTeam } from '#src/feedback/visibility/posts.ts';
import { findReaders } from '#src/identity/access/readers.ts';
import * as m from '../i18n/messages.ts';
import { orErrorPage } from '../lib/failure.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { visitContext } from '../lib/visit.ts';
import { Checkbox, PageForm, Select, Submit } from '../ui/form.tsx';
import { PlainPage } from '../ui/plain-page.tsx';

function openLink({ context, params }: Pick<LoaderFunctionArgs, 'context' | 'params'>): Promise<MailLinkTarget> {
  const visit = context.get(visitContext);
  return orErrorPage(openMailLink({ ...visit, cipher: visit.sender.cipher }, params.token ?? ''));
}

export async function loader(args: LoaderFunctionArgs) {
  const { context, user, post, isAboutPost } = await openLink(args);
  const readers = await findReaders(context.db.read, context.board, [user]);
  if (!readers.has(user.id)) throw new Response(null, { status: 404 });
  return {
    board: context.board.name,
    post,
    isAboutPost,
    isTeam: isTeam(user),
    frequency: user.mail_frequency,
    onStatus: user.email_on_status === 1,
    onComment: user.email_on_comment === 1,
    onNewPost: user.email_on_new_post === 1,
    onModeration: user.email_on_moderation === 1,
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

function preferencesOf(form: Record<string, string>, user: MailLinkTarget['user']) {
  const isOn = (name: string) => form[name] === 'on';
  return {
    frequency: form.frequency ?? '',
    onStatus: isOn('onStatus'),
    onComment: isOn('onComment'),
    ...(isTeam(user) && { onNewPost: isOn('onNewPost'), onModeration: isOn('onModeration') }),
  };
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
  const { frequency, onStatus, onComment, onNewPost, onModeration, isTeam } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const frequencies = {
    AT_ONCE: m.mailAtOnce(l),
    DAILY: m.mailDaily(l),
    WEEKLY: m.mailWeekly(l),
    OFF: m.mailOff(l),
  };
  return (
    <>
      <PageForm answer={answer} intent="save" key={frequency}>
        <Select name="frequency" label={m.mailFrequency(l)} defaultValue={frequency} options={frequencies} />
        <fieldset className="stack tight">
          <legend>{m.mailKinds(l)}</legend>
          <Checkbox name="onStatus" label={m.mailOnStatus(l)} defaultChecked={onStatus} />
          <Checkbox name="onComment" label={m.mailOnComment(l)} defaultChecked={onComment} />
          {isTeam && <Checkbox name="onNewPost" label={m.mailOnNewPost(l)} defaultChecked={onNewPost} />}
          {isTeam && <Checkbox name="onModeration" label={m.mailOnModeration(l)} defaultChecked={onModeration} />}
        </fieldset>
        <Submit>{m.save(l)}</Submit>
      </PageForm>
      {frequency !== 'OFF' && (
        <PageForm answer={undefined} intent="unsubscribe">
          <Submit>{m.unsubscribeAll(l)}</Submit>
        </PageForm>
      )}
    </>
  );
}
