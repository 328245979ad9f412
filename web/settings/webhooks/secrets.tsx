import {
  data,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
} from 'react-router';
import * as m from '../../i18n/messages.ts';
import { localize, localizeOutcome } from '../../lib/localize.ts';
import { Checkbox, PageForm, Submit } from '../../parts/forms/form.tsx';
import { SaveBar } from '../../parts/forms/settings-fields.tsx';
import { type FormAnswer, formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { formAction } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { CopyText } from '../../parts/team/copy.tsx';
import { SecretChoice } from './fields.tsx';
import { openWebhook, parseSecret } from './webhooks.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { row } = await openWebhook(args);
  return {
    hasToken: row.verify_token !== null,
    hasSecret: row.signing_secret !== null,
    hasPending: row.pending_secret !== null,
    isEnabled: row.state !== 'disabled',
    version: row.date_updated,
  };
}

/** In addition to the input: whether another user has changed the webhook in the meantime. */
type SecretsAnswer = FormAnswer & { isStale?: boolean };

export const action = formAction(openWebhook, async ({ visit, row, here, webhooks, form }) => {
  if (form.version !== undefined && form.version !== String(row.date_updated)) {
    return data({ errors: {}, message: null, values: form, isStale: true } satisfies SecretsAnswer, 409);
  }
  switch (form.intent) {
    case 'reveal':
      return { revealed: await webhooks.reveal(row.id) };
    case 'test': {
      const { outcome, acceptedSecret } = (await webhooks.test(row.id)).attempt;
      const { word, sentence } = outcome;
      const words = { word: localizeOutcome(word), sentence: localize(sentence.text, sentence) };
      return { tested: { isProof: acceptedSecret === 'pending', ...words } };
    }
    case 'adopt':
    case 'discard':
      await webhooks.settlePending(row.id, form.intent);
      throw redirect(reportDone(visit, `${here}/secrets?done=saved`));
    default: {
      const signingSecret = parseSecret(form, 'signingSecret');
      const verifyToken = parseSecret(form, 'verifyToken');
      const { verification } = await webhooks.update(row.id, {
        ...(signingSecret !== undefined && { signingSecret }),
        ...(verifyToken !== undefined && { verifyToken }),
        replacesSecretNow: form.now === 'on',
        version: row.date_updated,
      });
      if (!verification || verification.kind === 'verified')
        throw redirect(reportDone(visit, `${here}/secrets?done=saved`));
      return {
        errors: { verifyToken: localize(verification.reason.text, verification.reason) },
        message: null,
        values: form,
      };
    }
  }
});

/** The page must know what another user has changed in the meantime, although nothing was saved. */
export function shouldRevalidate({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 || defaultShouldRevalidate;
}

/** The two secrets of a webhook: to reveal them, and to replace them without losing an event. */
export default function WebhookSecrets() {
  const { hasToken, hasSecret, hasPending, isEnabled, version } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer: SecretsAnswer | undefined = formAnswerOf(result);
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <p className="muted">{m.secretsHelp(l)}</p>
        {result && 'revealed' in result ? (
          <Revealed secrets={result.revealed} />
        ) : (
          (hasToken || hasSecret) && (
            <PageForm answer={answer} intent="reveal">
              <Submit kind="plain">{m.reveal(l)}</Submit>
            </PageForm>
          )
        )}
        {!hasSecret && (
          <p className="note" data-kind="warning">
            {m.noSecretWarning(l)}
          </p>
        )}
      </div>
      {result && 'tested' in result && <Tested {...result.tested} />}
      {answer?.isStale && (
        <p className="note" data-kind="warning" role="alert">
          {m.secretsChanged(l)}
        </p>
      )}
      {hasPending && <Pending isEnabled={isEnabled} version={version} answer={answer} />}
      <section className="stack" aria-labelledby="change">
        <h2 id="change">{m.changeSecrets(l)}</h2>
        {/* Saving clears the choice: a second click must not generate another secret. */}
        <PageForm key={version} answer={answer} intent="change" isGuarded>
          <input type="hidden" name="version" value={version} />
          <SecretChoice name="signingSecret" defaultValue="keep" />
          {isEnabled && hasSecret && <Checkbox name="now" label={m.replacesNow(l)} />}
          <SecretChoice name="verifyToken" defaultValue="keep" />
          <SaveBar>
            <Submit>{answer?.isStale ? m.saveMine(l) : m.save(l)}</Submit>
          </SaveBar>
        </PageForm>
      </section>
    </div>
  );
}

type Secrets = { signingSecret: string | null; verifyToken: string | null; pendingSecret: string | null };

function Revealed({ secrets: { signingSecret, verifyToken, pendingSecret } }: { secrets: Secrets }) {
  const l = useLocale();
  return (
    <>
      {signingSecret !== null && <CopyText text={signingSecret} label={m.signingSecret(l)} />}
      {pendingSecret !== null && <CopyText text={pendingSecret} label={m.pendingSecret(l)} />}
      {verifyToken !== null && <CopyText text={verifyToken} label={m.verifyToken(l)} />}
    </>
  );
}

function Tested({ isProof, word, sentence }: { isProof: boolean; word: string; sentence: string }) {
  const l = useLocale();
  return (
    <p className="note" data-kind={isProof ? 'success' : 'error'} role="status">
      <strong>{word}</strong>. {sentence} {isProof && m.proved(l)}
    </p>
  );
}

type PendingProps = { isEnabled: boolean; version: number; answer: FormAnswer | undefined };

/** A new secret that the receiver has not accepted yet, next to the old one. */
function Pending({ isEnabled, version, answer }: PendingProps) {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="pending">
      <h2 id="pending">{m.pendingTitle(l)}</h2>
      <p className="muted">{m.pendingHelp(l)}</p>
      <div className="row">
        {isEnabled && (
          <PageForm answer={answer} intent="test" className="inline">
            <Submit>{m.sendProof(l)}</Submit>
          </PageForm>
        )}
        <PageForm answer={answer} intent="adopt" className="inline">
          <input type="hidden" name="version" value={version} />
          <Submit kind="danger">{m.revokeOld(l)}</Submit>
        </PageForm>
        <PageForm answer={answer} intent="discard" className="inline">
          <input type="hidden" name="version" value={version} />
          <Submit kind="plain">{m.discardNew(l)}</Submit>
        </PageForm>
      </div>
    </section>
  );
}
