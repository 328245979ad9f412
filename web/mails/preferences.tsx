import * as m from '../i18n/messages.ts';
import { Checkbox, PageForm, Select, Submit } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import type { MailPreferencesView } from './preferences.ts';

type MailPreferencesProps = { preferences: MailPreferencesView; answer: FormAnswer | undefined };

/** What mail a user gets from a board. */
export function MailPreferences({ preferences, answer }: MailPreferencesProps) {
  const { frequency, onStatus, onComment, onMention, isTeam } = preferences;
  const l = useLocale();
  return (
    <PageForm answer={answer} intent="save" key={frequency}>
      <FrequencyField frequency={frequency} />
      <fieldset className="stack tight">
        <legend>{m.mailKinds(l)}</legend>
        <Checkbox name="onStatus" label={m.mailOnStatus(l)} defaultChecked={onStatus} />
        <Checkbox name="onComment" label={m.mailOnComment(l)} defaultChecked={onComment} />
        <Checkbox name="onMention" label={m.mailOnMention(l)} defaultChecked={onMention} />
        {isTeam && <TeamMailFields {...preferences} />}
      </fieldset>
      <Submit>{m.save(l)}</Submit>
    </PageForm>
  );
}

/** When a user gets mail. */
export function FrequencyField({ frequency }: Pick<MailPreferencesView, 'frequency'>) {
  const l = useLocale();
  const frequencies = {
    AT_ONCE: m.mailAtOnce(l),
    DAILY: m.mailDaily(l),
    WEEKLY: m.mailWeekly(l),
    OFF: m.mailOff(l),
  };
  return <Select name="frequency" label={m.mailFrequency(l)} defaultValue={frequency} options={frequencies} />;
}

/** The kinds of mail that only the team can get. */
export function TeamMailFields({ onNewPost, onModeration }: Pick<MailPreferencesView, 'onNewPost' | 'onModeration'>) {
  const l = useLocale();
  return (
    <>
      <Checkbox name="onNewPost" label={m.mailOnNewPost(l)} defaultChecked={onNewPost} />
      <Checkbox name="onModeration" label={m.mailOnModeration(l)} defaultChecked={onModeration} />
    </>
  );
}
