import type { ChangelogLabel } from '#src/feedback/changelog/entries.ts';
import * as m from '../i18n/messages.ts';
import { Checkbox, PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useBoard, useIsEmbedded, useIsStatic, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { labelName } from './labels.ts';
import type { SubscriptionChange, SubscriptionView } from './subscription.ts';

type SubscribeProps = {
  subscription: SubscriptionView;
  /** The labels to choose from. */
  labels: readonly ChangelogLabel[];
  answer?: FormAnswer | undefined;
  result?: SubscriptionChange | undefined;
};

/** Where readers subscribe to the changelog by mail: by an address, or with one click by that of their account. */
export function Subscribe({ subscription: { own, isSubscribed }, labels, answer, result }: SubscribeProps) {
  const board = useBoard();
  const isAway = [useIsStatic(), useIsEmbedded()].includes(true);
  const l = useLocale();
  if (isAway || !board) return null;
  const action = `/b/${board.pid}/changelog`;
  const email = own ?? '';
  return (
    <section
      className="subscribe"
      id="subscribe"
      aria-labelledby="subscribe-title"
      data-open={isSubscribed || answer || result ? true : undefined}
    >
      {/* On phones, all there is until it is followed. */}
      <a className="subscribe-open" href="#subscribe">
        <Icon name="mail" />
        {m.subscribeByMail(l)}
      </a>
      <h2 id="subscribe-title">{m.changelogByMail(l)}</h2>
      {result?.change === 'sent' && (
        <p role="status">{m.subscribeSent(l, { email: result.email, hours: result.hours })}</p>
      )}
      {result?.change === 'removed' && <p role="status">{m.unsubscribed(l, { email: result.email })}</p>}
      {isSubscribed ? (
        <PageForm answer={answer} intent="unsubscribe" action={action} className="subscribe-form">
          <p role={result ? 'status' : undefined}>{m.subscribedAs(l, { email })}</p>
          <Submit kind="plain">{m.unsubscribe(l)}</Submit>
        </PageForm>
      ) : (
        result?.change !== 'sent' && (
          <PageForm answer={answer} intent="subscribe" action={action} className="subscribe-form">
            {own ? (
              <p>{own}</p>
            ) : (
              <TextField
                name="email"
                type="email"
                label={m.email(l)}
                placeholder={m.email(l)}
                autoComplete="email"
                maxLength={254}
                isLabelHidden
                required
              />
            )}
            <Submit kind={own ? 'plain' : 'primary'}>{m.subscribe(l)}</Submit>
            {labels.length > 1 && <Labels labels={labels} />}
          </PageForm>
        )
      )}
    </section>
  );
}

function Labels({ labels }: Pick<SubscribeProps, 'labels'>) {
  const l = useLocale();
  return (
    <fieldset className="subscribe-labels">
      <legend>{m.subscribeOnly(l)}</legend>
      {labels.map((label) => (
        <Checkbox key={label} name={`label:${label}`} label={labelName(l, label)} />
      ))}
    </fieldset>
  );
}
