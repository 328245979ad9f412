import { useActionData, useLoaderData } from 'react-router';
import { defaultRateRules } from '#src/identity/keys/keys.ts';
import { issueKey } from '#src/identity/keys/managing.ts';
import { plainAddress } from '#src/platform/http/ip.ts';
import { makeToken } from '#src/platform/lib/ids.ts';
import * as m from '../../i18n/messages.ts';
import { Dialog } from '../../parts/forms/dialog.tsx';
import { Checkbox, PageForm, Submit } from '../../parts/forms/form.tsx';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { KeyFieldset } from './fields.tsx';
import { NewKey } from './new-key.tsx';
import { listTagChoices, parseKeySettings } from './reading.ts';
import { budgetOf, limitsOf } from './settings.ts';

const NONCE_BYTES = 32;

export const loader = memberLoader('key.manage', async ({ visit, context }) => {
  const { address, baseUrl, db } = visit;
  return {
    nonce: makeToken(NONCE_BYTES),
    address: plainAddress(address),
    limits: limitsOf(defaultRateRules),
    tags: await listTagChoices(db.read, context),
    url: baseUrl,
    back: `/b/${context.board.pid}/settings/apis`,
  };
});

export const action = memberAction('key.manage', async ({ visit, context, form }) => {
  const isBound = form.asMe === 'on';
  const settings = { ...parseKeySettings(form), defaultUserId: isBound ? context.actor.id : null, isBound };
  const { key } = await issueKey(context, settings, visit.keyForm(form.nonce ?? ''));
  visit.keysChanged();
  return { secret: key };
});

/** Creates a key and shows it, once. */
export default function ApiNew() {
  const { nonce, address, limits, tags, url, back } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  const fields = {
    name: '',
    read: true,
    write: true,
    webhooks: false,
    ips: '',
    expires: '',
    limits,
    budget: budgetOf(null),
  };
  return (
    <Dialog title={m.createKey(l)} back={back}>
      {result && 'secret' in result ? (
        <NewKey secret={result.secret} url={url} back={back} />
      ) : (
        <PageForm answer={answer}>
          {/* Redisplayed input keeps the nonce of its page: sent twice, it creates one key. */}
          <input type="hidden" name="nonce" value={answer?.values.nonce ?? nonce} />
          <KeyFieldset fields={fields} address={address} tags={tags} />
          <Checkbox name="asMe" label={m.keyActsAsMe(l)} help={m.keyActsAsMeHelp(l)} defaultChecked={false} />
          <Submit>{m.createKey(l)}</Submit>
        </PageForm>
      )}
    </Dialog>
  );
}
