import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import { findSpent } from '#src/identity/keys/budget.ts';
import { findUsersOfKeys, requireKey } from '#src/identity/keys/keys.ts';
import { changeKey, rotateKey, withdrawKey } from '#src/identity/keys/managing.ts';
import { findUsage } from '#src/identity/keys/usage.ts';
import { plainAddress } from '#src/platform/http/ip.ts';
import { makeToken } from '#src/platform/lib/ids.ts';
import { formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { PageForm, Select, Submit, TextField } from '../../parts/forms/form.tsx';
import { SaveBar } from '../../parts/forms/settings-fields.tsx';
import { orErrorPage } from '../../parts/requests/failure.ts';
import { type FormAnswer, formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { KeyFieldset } from './fields.tsx';
import { NewKey } from './new-key.tsx';
import { listTagChoices, parseKeySettings } from './reading.ts';
import { fieldsOf, stateOf } from './settings.ts';
import { KeyState } from './state.tsx';
import { parseUsageRange, spansOfUsage, startOfUsage } from './usage.ts';
import { KeyUsage } from './usage.tsx';

const NONCE_BYTES = 32;
const HOUR_MS = 3_600_000;
/** How long an old key may keep working alongside its successor, in hours. */
const overlaps = ['0', '1', '24', '168'] as const;

export const loader = memberLoader('key.manage', async ({ visit, context }, args) => {
  const { db, clock } = visit;
  const row = await orErrorPage(requireKey(db.read, context.board.id, args.params.key ?? ''));
  const own = (await findUsersOfKeys(db.read, context.board.id, [row])).get(row.default_user_id ?? '');
  const now = clock.now();
  const range = parseUsageRange(args.url.searchParams.get('usage'));
  const hours = await findUsage(db.read, context.board.id, row.id, startOfUsage(range, now));
  return {
    nonce: makeToken(NONCE_BYTES),
    usage: { range, spans: spansOfUsage(hours, range, now) },
    address: plainAddress(visit.address),
    url: visit.baseUrl,
    back: `/b/${context.board.pid}/settings/apis`,
    prefix: row.prefix,
    created: row.date_created,
    lastUsed: row.date_last_used,
    state: stateOf(row, now),
    fields: fieldsOf(row),
    tags: await listTagChoices(db.read, context),
    spent: row.budget === null ? null : await findSpent(visit, { id: row.id }),
    isAgent: row.client_id !== null,
    actsAs: row.is_bound === 1 ? (own?.name ?? own?.id ?? '–') : null,
  };
});

export const action = memberAction('key.manage', async ({ visit, context, form }, args) => {
  const { db } = visit;
  const id = args.params.key ?? '';
  const row = await orErrorPage(requireKey(db.read, context.board.id, id));
  if (form.intent === 'rotate') {
    const hours = Number(overlaps.find((known) => known === form.overlap) ?? '0');
    const { key } = await rotateKey(context, id, hours * HOUR_MS, visit.keyForm(form.nonce ?? ''));
    visit.keysChanged();
    return { secret: key };
  }
  if (form.intent === 'revoke') await withdrawKey(context, id, form.confirm ?? '');
  else await changeKey(context, id, parseKeySettings(form, JSON.parse(row.rate_limits)));
  visit.keysChanged();
  const done = form.intent === 'revoke' ? 'revoked' : 'saved';
  throw redirect(reportDone(visit, `/b/${context.board.pid}/settings/apis?done=${done}`));
});

/** One key: its settings, a successor for it, and its end. */
export default function Api() {
  const key = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const l = useLocale();
  return (
    <div className="stack sections">
      <p>
        <Link to={key.back}>{m.apis(l)}</Link>
      </p>
      <PageTitle>{key.fields.name}</PageTitle>
      <p className="row small">
        {key.isAgent ? m.agentKey(l) : <code dir="ltr">{`esk_${key.prefix}…`}</code>}
        {key.actsAs !== null && (
          <span className="muted" dir="auto">
            {m.keyActsOnlyAs(l, { name: key.actsAs })}
          </span>
        )}
        <KeyState state={key.state} expires={key.fields.expires} />
        <span className="muted">{m.createdOn(l, { time: formatTime(l, key.created) })}</span>
        <span className="muted">
          {m.lastUsed(l)}: {key.lastUsed === null ? m.never(l) : formatTime(l, key.lastUsed)}
        </span>
      </p>
      {result && 'secret' in result ? (
        <NewKey secret={result.secret} url={key.url} back={key.back} />
      ) : (
        <>
          <KeyUsage {...key.usage} />
          {key.state !== 'revoked' && <KeyForms apiKey={key} answer={answer} />}
        </>
      )}
    </div>
  );
}

type KeyFormsProps = { apiKey: Awaited<ReturnType<typeof loader>>; answer: FormAnswer | undefined };

function KeyForms({ apiKey: { fields, tags, spent, isAgent, address, nonce }, answer }: KeyFormsProps) {
  const l = useLocale();
  const words = [m.overlapNone(l), m.overlapHour(l), m.overlapDay(l), m.overlapWeek(l)];
  const options = Object.fromEntries(overlaps.map((hours, n) => [hours, words[n] ?? '']));
  return (
    <>
      <section className="stack" aria-labelledby="change">
        <h2 id="change">{m.settings(l)}</h2>
        <PageForm answer={answer} intent="change" isGuarded>
          <KeyFieldset fields={fields} address={address} tags={tags} />
          {spent && <p className="small">{m.budgetUsed(l, spent)}</p>}
          <SaveBar>
            <Submit>{m.save(l)}</Submit>
          </SaveBar>
        </PageForm>
      </section>
      {!isAgent && (
        <section className="stack" aria-labelledby="rotate">
          <h2 id="rotate">{m.rotate(l)}</h2>
          <p className="muted">{m.rotateHelp(l)}</p>
          <PageForm answer={answer} intent="rotate">
            <input type="hidden" name="nonce" value={nonce} />
            <Select name="overlap" label={m.overlap(l)} defaultValue="24" options={options} />
            <Submit kind="plain">{m.rotate(l)}</Submit>
          </PageForm>
        </section>
      )}
      <section className="stack danger" aria-labelledby="revoke">
        <h2 id="revoke">{m.revoke(l)}</h2>
        <p className="muted">{m.revokeHelp(l)}</p>
        <PageForm answer={answer} intent="revoke">
          <TextField name="confirm" label={m.typeName(l, { name: fields.name })} autoComplete="off" required />
          <Submit kind="danger">{m.revoke(l)}</Submit>
        </PageForm>
      </section>
    </>
  );
}
