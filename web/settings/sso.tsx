import { redirect, useActionData, useLoaderData } from 'react-router';
import {
  changeSsoSettings,
  decryptSsoSecrets,
  dropPreviousSecret,
  findSsoSettings,
  removeSso,
  rotateSsoSecret,
} from '#src/identity/sso/settings.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { checkBoardToken } from '#src/operations/sso/board-token.ts';
import type { Visit } from '#src/pages/visit.ts';
import * as m from '../i18n/messages.ts';
import { localize } from '../lib/localize.ts';
import { Checkbox, PageForm, Select, Submit, TextArea, TextField } from '../parts/forms/form.tsx';
import { SaveBar } from '../parts/forms/settings-fields.tsx';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { CopyText } from '../parts/team/copy.tsx';

export const loader = memberLoader('board.edit', async ({ visit, context }) => {
  const settings = await findSsoSettings(visit.db.read, context.board.id);
  return {
    isOn: settings !== null,
    algorithm: settings?.algorithm ?? 'HS256',
    hasSecret: settings?.secret != null,
    hasPrevious: settings?.previous_secret != null,
    jwksUrl: settings?.jwks_url ?? '',
    loginUrl: settings?.login_url ?? '',
    isRoleAllowed: settings?.is_role_allowed === 1,
    isExpiryOptional: settings?.is_expiry_optional === 1,
    attributeClaims: settings?.attribute_claims ?? '',
    address: `${visit.baseUrl}/b/${context.board.pid}/sso/`,
  };
});

export const action = memberAction('board.edit', async ({ visit, context, form }) => {
  switch (form.intent) {
    case 'reveal':
      return { secrets: await revealSecrets(visit, context) };
    case 'rotate':
      await rotateSsoSecret(context, visit.sender.cipher);
      return { secrets: await revealSecrets(visit, context) };
    case 'check':
      return { checked: await check(visit, context, form.token ?? '') };
    case 'drop':
      await dropPreviousSecret(context);
      break;
    case 'remove':
      await removeSso(context);
      break;
    default:
      await changeSsoSettings(context, {
        algorithm: form.algorithm ?? '',
        jwksUrl: form.jwksUrl ?? '',
        loginUrl: form.loginUrl ?? '',
        isRoleAllowed: form.roles === 'on',
        isExpiryOptional: form.endless === 'on',
        attributeClaims: form.attributeClaims ?? '',
      });
  }
  throw redirect(reportDone(visit, `/b/${context.board.pid}/settings/sso?done=saved`));
});

async function revealSecrets({ db, sender }: Visit, { board }: ActorContext): Promise<string[]> {
  const settings = await findSsoSettings(db.read, board.id);
  return settings ? decryptSsoSecrets(sender.cipher, settings) : [];
}

/** What a pasted token would do, without doing it. */
async function check(visit: Visit, context: ActorContext, token: string) {
  const { person, refusal } = await checkBoardToken(context, visit.tokenKeys, token.trim());
  if (!person) return { refusal: localize(refusal.text, refusal.parts), claims: [], notes: [] };
  const { id, profile, role, attributes } = person;
  const claims = { id, name: profile.name, email: profile.email, imageUrl: profile.imageUrl, role, ...attributes };
  return {
    refusal: null,
    claims: Object.entries(claims).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)] as const])),
    notes: person.notes.map(({ text, parts }) => localize(text, parts)),
  };
}

/** Sign-in from the customer's own product. */
export default function SsoSettings() {
  const settings = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <PageTitle>{m.sso(l)}</PageTitle>
        <p className="muted">{m.ssoHelp(l)}</p>
        <CopyText text={`${settings.address}<JWT>`} label={m.ssoAddress(l)} />
      </div>
      <PageForm answer={answer} intent="save" isGuarded>
        <Select
          name="algorithm"
          label={m.ssoAlgorithm(l)}
          help={m.ssoAlgorithmHelp(l)}
          defaultValue={settings.algorithm}
          options={{ HS256: m.ssoSharedSecret(l), JWKS: m.ssoPublishedKeys(l) }}
        />
        <TextField
          name="jwksUrl"
          type="url"
          label={m.ssoJwks(l)}
          help={m.ssoJwksHelp(l)}
          defaultValue={settings.jwksUrl}
        />
        <TextField
          name="loginUrl"
          type="url"
          label={m.ssoLogin(l)}
          help={m.ssoLoginHelp(l)}
          defaultValue={settings.loginUrl}
        />
        <TextField
          name="attributeClaims"
          label={m.ssoAttributes(l)}
          help={m.ssoAttributesHelp(l)}
          defaultValue={settings.attributeClaims}
        />
        <Checkbox name="roles" label={m.ssoRoles(l)} defaultChecked={settings.isRoleAllowed} />
        <Checkbox name="endless" label={m.ssoEndless(l)} defaultChecked={settings.isExpiryOptional} />
        <SaveBar>
          <Submit>{settings.isOn ? m.save(l) : m.ssoTurnOn(l)}</Submit>
        </SaveBar>
      </PageForm>
      {settings.isOn && settings.algorithm === 'HS256' && (
        <Secret {...settings} answer={answer} secrets={result && 'secrets' in result ? result.secrets : []} />
      )}
      {settings.isOn && <Checker answer={answer} checked={result && 'checked' in result ? result.checked : null} />}
      {settings.isOn && (
        <section className="stack" aria-labelledby="off">
          <h2 id="off">{m.ssoTurnOff(l)}</h2>
          <p className="muted">{m.ssoTurnOffHelp(l)}</p>
          <PageForm answer={answer} intent="remove">
            <Submit kind="danger">{m.ssoTurnOff(l)}</Submit>
          </PageForm>
        </section>
      )}
    </div>
  );
}

type SecretProps = {
  hasSecret: boolean;
  hasPrevious: boolean;
  answer: FormAnswer | undefined;
  secrets: string[];
};

/** The secret that signs tokens, and during a change also the previous one. */
function Secret({ hasSecret, hasPrevious, answer, secrets: [secret, previous] }: SecretProps) {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="secret">
      <h2 id="secret">{m.ssoSecret(l)}</h2>
      <p className="muted">{m.ssoSecretHelp(l)}</p>
      {secret && <CopyText text={secret} label={m.ssoSecret(l)} />}
      <div className="row">
        {hasSecret && !secret && (
          <PageForm answer={answer} intent="reveal">
            <Submit kind="plain">{m.ssoReveal(l)}</Submit>
          </PageForm>
        )}
        <PageForm answer={answer} intent="rotate">
          <Submit kind={hasSecret ? 'plain' : 'primary'}>{hasSecret ? m.ssoRotate(l) : m.ssoMakeSecret(l)}</Submit>
        </PageForm>
      </div>
      {hasPrevious && (
        <>
          <h3>{m.ssoPreviousSecret(l)}</h3>
          <p className="muted">{m.ssoTwoSecrets(l)}</p>
          {previous && <CopyText text={previous} label={m.ssoPreviousSecret(l)} />}
          <PageForm answer={answer} intent="drop">
            <Submit kind="danger">{m.ssoDropPrevious(l)}</Submit>
          </PageForm>
        </>
      )}
    </section>
  );
}

type Checked = { refusal: string | null; claims: (readonly [string, string])[]; notes: string[] };

/** Shows what is wrong with a token, or who would be signed in. */
function Checker({ answer, checked }: { answer: FormAnswer | undefined; checked: Checked | null }) {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="check">
      <h2 id="check">{m.ssoCheck(l)}</h2>
      <PageForm answer={answer} intent="check">
        <TextArea name="token" label={m.ssoToken(l)} help={m.ssoCheckHelp(l)} rows={4} maxLength={20_000} />
        <Submit kind="plain">{m.ssoCheck(l)}</Submit>
      </PageForm>
      {checked?.refusal && (
        <p className="note" data-kind="error" role="alert">
          {checked.refusal}
        </p>
      )}
      {checked && checked.refusal === null && (
        <div className="note stack tight" role="status">
          <p>{m.ssoGood(l)}</p>
          <dl className="facts">
            {checked.claims.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto" className="break">
                  {value}
                </dd>
              </div>
            ))}
          </dl>
          {checked.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
    </section>
  );
}
