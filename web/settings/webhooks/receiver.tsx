import { type LoaderFunctionArgs, useActionData, useLoaderData } from 'react-router';
import { listReceiverCode } from '#src/webhooks/managing/receiver-code.ts';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit, TextArea, TextField } from '../../parts/forms/form.tsx';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { formAction } from '../../parts/requests/member.ts';
import { CodeBlock } from '../../parts/team/code.tsx';
import { SignatureFindings } from './findings.tsx';
import { openWebhook } from './webhooks.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { row } = await openWebhook(args);
  return {
    hasToken: row.verify_token !== null,
    hasSecret: row.signing_secret !== null,
    receivers: listReceiverCode(row.url),
  };
}

export const action = formAction(openWebhook, async ({ row, webhooks, form }) => {
  const { body = '', header = '', secret = '' } = form;
  const check = await webhooks.checkSignature(row.id, { body, header, secret });
  // The pasted values go back into the form, except the secret.
  return { errors: {}, message: null, values: { body, header }, check };
});

/** For developers of a receiver: programs to start from, and why a signature does not match. */
export default function WebhookReceiver() {
  const { hasToken, hasSecret, receivers } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  const settings = [hasToken && 'VERIFY_TOKEN=…', hasSecret && 'SIGNING_SECRET=…'].filter(Boolean).join(' ');
  return (
    <div className="stack sections narrow">
      <section className="stack" aria-labelledby="code">
        <h2 id="code">{m.receiverCode(l)}</h2>
        <p className="muted">{m.receiverCodeHelp(l)}</p>
        {receivers.map(({ language, file, start, code }) => (
          <details key={language} name="receiver" className="fold">
            <summary>{language}</summary>
            <div className="stack">
              <CodeBlock text={`${settings} ${start}`.trim()} label={m.startWith(l, { language })} />
              <CodeBlock text={code} label={file} />
            </div>
          </details>
        ))}
      </section>
      <section className="stack" aria-labelledby="check">
        <h2 id="check">{m.checkTitle(l)}</h2>
        <p className="muted">{m.checkHelp(l)}</p>
        <PageForm answer={answer}>
          <TextArea name="body" label={m.checkBody(l)} rows={5} />
          <TextField name="header" label={m.checkHeader(l)} placeholder="sha256=…" dir="ltr" autoComplete="off" />
          <TextField
            name="secret"
            label={m.signingSecret(l)}
            help={hasSecret ? m.checkSecretHelp(l) : undefined}
            autoComplete="off"
            spellCheck={false}
          />
          <Submit>{m.check(l)}</Submit>
        </PageForm>
        {result && 'check' in result && <SignatureFindings check={result.check} />}
      </section>
    </div>
  );
}
