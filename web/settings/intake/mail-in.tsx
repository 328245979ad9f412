import { redirect, useActionData, useLoaderData } from 'react-router';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { addressOfBoard } from '#src/operations/mail-in/recipients.ts';
import * as m from '../../i18n/messages.ts';
import { Checkbox, PageForm, Submit, TextField } from '../../parts/forms/form.tsx';
import { SaveBar } from '../../parts/forms/settings-fields.tsx';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { withUndo } from '../../parts/requests/undo.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { Sentence } from '../../parts/show/sentence.tsx';
import { CopyText } from '../../parts/team/copy.tsx';

export const loader = memberLoader('board.edit', async ({ visit, context: { board } }) => ({
  address: visit.mail.domainIn === null ? null : addressOfBoard(board, visit.mail.domainIn),
  isOn: board.is_mail_in_enabled === 1,
  mailAddress: board.mail_address,
}));

export const action = memberAction('board.edit', async ({ visit, context, form: { on, mailAddress = '' } }) => {
  const { pid } = await changeBoard(context, { isMailInEnabled: on === 'on', mailAddress });
  visit.keysChanged();
  throw redirect(withUndo(visit, `/b/${pid}/settings/mail-in?done=saved`));
});

/** Whether emails become ideas, and where they are sent. */
export default function MailIn() {
  const { address, isOn, mailAddress } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <PageTitle>{m.mailInTitle(l)}</PageTitle>
        <p className="muted">{m.mailInHelp(l)}</p>
        {address === null && (
          <p className="note">
            <Sentence
              text={m.mailInOff(l, { setting: '{setting}', docs: '{docs}' })}
              parts={{ setting: <code>INBOUND_MAIL_DOMAIN</code>, docs: <code>docs/capture.md</code> }}
            />
          </p>
        )}
        {address !== null && isOn && <CopyText text={mailAddress || address} label={m.mailInAddress(l)} />}
      </div>
      {address !== null && (
        <PageForm answer={answer} isGuarded>
          <Checkbox name="on" label={m.mailInTurnOn(l)} help={address} defaultChecked={isOn} />
          <TextField
            name="mailAddress"
            type="email"
            label={m.mailInNicer(l)}
            help={m.mailInNicerHelp(l)}
            defaultValue={mailAddress}
          />
          <SaveBar>
            <Submit>{m.save(l)}</Submit>
          </SaveBar>
        </PageForm>
      )}
      <section className="stack" aria-labelledby="rules">
        <h2 id="rules">{m.mailInRules(l)}</h2>
        <ul className="stack tight">
          {[m.mailInKnown, m.mailInUnknown, m.mailInAnswers, m.mailInIgnored].map((rule) => (
            <li key={rule(l)}>{rule(l)}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}
