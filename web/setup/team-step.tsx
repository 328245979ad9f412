import * as m from '../i18n/messages.ts';
import { FrequencyField, TeamMailFields } from '../mails/preferences.tsx';
import { PageForm, Select, Submit, TextArea } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import type { viewTeamStep } from './team-step.ts';

type TeamStepProps = { team: ReturnType<typeof viewTeamStep>; answer: FormAnswer | undefined };

/** Who helps with the board, and which mails about it the user wants. */
export function TeamStep({ team: { keepsMails, mails }, answer }: TeamStepProps) {
  const l = useLocale();
  return (
    <PageForm answer={answer}>
      <h2>{m.invite(l)}</h2>
      {keepsMails && <p className="note">{m.inviteFile(l)}</p>}
      <TextArea name="emails" label={m.inviteEmails(l)} help={m.inviteEmailsHelp(l)} rows={2} />
      <Select
        name="role"
        label={m.role(l)}
        defaultValue="MODERATOR"
        options={{ MODERATOR: m.roleModerator(l), ADMIN: m.roleAdmin(l) }}
      />
      <h2>{m.notifications(l)}</h2>
      <FrequencyField frequency={mails.frequency} />
      <fieldset>
        <legend>{m.mailKinds(l)}</legend>
        <TeamMailFields {...mails} />
      </fieldset>
      <div className="row">
        <Submit>{m.goOn(l)}</Submit>
        <Submit kind="plain" name="skip" value="on">
          {m.skip(l)}
        </Submit>
      </div>
    </PageForm>
  );
}
