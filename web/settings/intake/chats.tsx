import { redirect, useActionData, useLoaderData } from 'react-router';
import {
  type Chat,
  changeChat,
  changeThreads,
  chatNames,
  chats,
  listChats,
  threadModes,
} from '#src/operations/chat-in/settings.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { PageForm, Select, Submit, TextField } from '../../parts/forms/form.tsx';
import { useKeptKey } from '../../parts/forms/kept-key.ts';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { OnOff } from '../../parts/show/on-off.tsx';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { Sentence } from '../../parts/show/sentence.tsx';
import { CopyText } from '../../parts/team/copy.tsx';

export const loader = memberLoader('board.edit', async ({ context }) => {
  const states = await listChats(context);
  return { states: states.map((state) => ({ ...state, name: chatNames[state.chat] })) };
});

export const action = memberAction(
  'board.edit',
  async ({ visit, context, form: { intent = '', secret = '', off, threads } }) => {
    const chat = chats.find((name) => name === intent);
    const mode = threadModes.find((name) => name === threads);
    if (chat) await changeChat(context, visit.sender.cipher, chat, off === 'on' ? null : secret);
    else if (intent === 'threads' && mode) await changeThreads(context, mode);
    else throw new Response(null, { status: 400 });
    throw redirect(reportDone(visit, `/b/${context.board.pid}/settings/chats?done=saved`));
  },
);

/** The chats in which the team makes ideas, and what proves their requests. */
export default function Chats() {
  const { states } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const kept = useKeptKey(answer);
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <PageTitle>{m.chatsTitle(l)}</PageTitle>
        <p className="muted">
          <Sentence text={m.chatsHelp(l, { docs: '{docs}' })} parts={{ docs: <code>docs/capture.md</code> }} />
        </p>
      </div>
      {states.map(({ chat, name, url, isOn, threads }) => (
        <section key={chat} className="stack" aria-labelledby={chat}>
          <h2 id={chat}>{name}</h2>
          <p>
            <OnOff isOn={isOn} />
          </p>
          <CopyText text={url} label={m.chatsUrl(l)} />
          <PageForm key={kept} answer={answer} intent={chat}>
            <TextField
              name="secret"
              type={chat === 'SLACK' ? 'password' : 'text'}
              label={secretWords[chat](l)}
              autoComplete="off"
              maxLength={200}
              required
            />
            <Submit kind={isOn ? 'plain' : 'primary'}>{isOn ? m.chatsReplace(l) : m.chatsTurnOn(l)}</Submit>
          </PageForm>
          {threads && (
            <PageForm key={`threads ${kept}`} answer={answer} intent="threads">
              <Select
                name="threads"
                label={m.chatsThreads(l)}
                help={m.chatsThreadsHelp(l, { event: 'message.channels' })}
                defaultValue={threads}
                options={{
                  OFF: m.chatsThreadsOff(l),
                  NOTES: m.chatsThreadsNotes(l),
                  COMMENTS: m.chatsThreadsComments(l),
                }}
              />
              <Submit kind="plain">{m.save(l)}</Submit>
            </PageForm>
          )}
          {isOn && (
            <PageForm answer={undefined} intent={chat}>
              <input type="hidden" name="off" value="on" />
              <Submit kind="plain">{m.chatsTurnOff(l)}</Submit>
            </PageForm>
          )}
        </section>
      ))}
    </div>
  );
}

const secretWords: Record<Chat, (l: Locale) => string> = { SLACK: m.chatsSecret, DISCORD: m.chatsKey };
