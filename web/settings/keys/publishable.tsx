import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import { canonicalUrl } from '#src/identity/board/board.ts';
import { readStored } from '#src/identity/keys/documents.ts';
import {
  changePublishableKey,
  createPublishableKey,
  DEFAULT_PER_NETWORK,
  DEFAULT_PER_VISITOR,
  type PublishableKeyRow,
  requirePublishableKey,
  revokePublishableKey,
} from '#src/identity/keys/publishable.ts';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit, TextArea, TextField } from '../../parts/forms/form.tsx';
import { SaveBar } from '../../parts/forms/settings-fields.tsx';
import { orErrorPage } from '../../parts/requests/failure.ts';
import { type FormAnswer, formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { CodeBlock } from '../../parts/team/code.tsx';
import { CopyText } from '../../parts/team/copy.tsx';
import { KeyState } from './state.tsx';

/** The path of the page that creates a key. */
const NEW = 'new';

export const loader = memberLoader('key.manage', async ({ visit, context }, { params }) => {
  const { board } = context;
  const id = params.key ?? NEW;
  const row = id === NEW ? null : await orErrorPage(requirePublishableKey(visit.db.read, board.id, id));
  return {
    fields: fieldsOf(row),
    made: row && {
      key: row.key,
      isRevoked: row.date_revoked !== null,
      ids: readStored(row.documents).map((document) => document.ids.slice(0, 2).join('  ')),
      snippet: snippet(visit.baseUrl, canonicalUrl(board, visit.baseUrl), row.key),
    },
  };
});

export const action = memberAction('key.manage', async ({ visit, context, form }, { params }) => {
  const page = `/b/${context.board.pid}/settings/apis`;
  const id = params.key ?? NEW;
  if (form.intent === 'revoke') {
    await revokePublishableKey(context, id);
    visit.keysChanged();
    throw redirect(reportDone(visit, `${page}?done=revoked`));
  }
  const settings = {
    name: form.name ?? '',
    origins: form.origins ?? '',
    documents: form.documents ?? '',
    perNetwork: Number(form.perNetwork),
    perVisitor: Number(form.perVisitor),
  };
  const row = await (id === NEW
    ? createPublishableKey(context, settings, visit.requireDocuments)
    : changePublishableKey(context, id, settings, visit.requireDocuments));
  visit.keysChanged();
  throw redirect(reportDone(visit, `${page}/publishable/${row.id}?done=saved`));
});

function fieldsOf(row: PublishableKeyRow | null) {
  return {
    name: row?.name ?? '',
    origins: row?.origins.replaceAll(' ', '\n') ?? '',
    documents: row?.documents ?? '',
    perNetwork: String(row?.per_network ?? DEFAULT_PER_NETWORK),
    perVisitor: String(row?.per_visitor ?? DEFAULT_PER_VISITOR),
  };
}

/** What a website includes to let people vote. */
function snippet(server: string, board: string, key: string): string {
  return `<script async src="${server}/vote.js"></script>
<earshot-vote board="${board}" publishable-key="${key}" post="1">Vote</earshot-vote>`;
}

/** Creates a publishable key, or shows one: what it may do, what to include with it, and its end. */
export default function Publishable() {
  const { fields, made } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack sections">
      <p>
        <Link to="../..">{m.apis(l)}</Link>
      </p>
      <PageTitle>{made ? fields.name : m.publishableNew(l)}</PageTitle>
      {made ? <Made made={made} /> : <p className="muted">{m.publishableHelp(l)}</p>}
      {!made?.isRevoked && <Settings fields={fields} isNew={made === null} answer={answer} />}
      {made && !made.isRevoked && (
        <section className="stack danger" aria-labelledby="revoke">
          <h2 id="revoke">{m.revoke(l)}</h2>
          <p className="muted">{m.publishableRevokeHelp(l)}</p>
          <PageForm answer={answer} intent="revoke">
            <Submit kind="danger">{m.revoke(l)}</Submit>
          </PageForm>
        </section>
      )}
    </div>
  );
}

type MadeKey = NonNullable<Awaited<ReturnType<typeof loader>>['made']>;

/** A key as it is: it may be shown at any time. */
function Made({ made }: { made: MadeKey }) {
  const l = useLocale();
  if (made.isRevoked) return <KeyState state="revoked" expires="" />;
  return (
    <>
      <CopyText text={made.key} label={m.yourKey(l)} />
      <CodeBlock label={m.publishableButton(l)} text={made.snippet} />
      {made.ids.length > 0 && <CodeBlock label={m.publishableIds(l)} text={made.ids.join('\n')} />}
    </>
  );
}

type SettingsProps = { fields: ReturnType<typeof fieldsOf>; isNew: boolean; answer: FormAnswer | undefined };

function Settings({ fields, isNew, answer }: SettingsProps) {
  const l = useLocale();
  const save = <Submit>{isNew ? m.publishableNew(l) : m.save(l)}</Submit>;
  return (
    <PageForm answer={answer} intent="save" isGuarded>
      <TextField
        name="name"
        label={m.keyName(l)}
        help={m.keyNameHelp(l)}
        defaultValue={fields.name}
        maxLength={100}
        required
      />
      <TextArea
        name="origins"
        label={m.publishableOrigins(l)}
        help={m.publishableOriginsHelp(l)}
        defaultValue={fields.origins}
        rows={3}
      />
      <TextArea
        name="documents"
        label={m.publishableDocuments(l)}
        help={m.publishableDocumentsHelp(l)}
        defaultValue={fields.documents}
        rows={6}
      />
      <fieldset>
        <legend>{m.publishableLimits(l)}</legend>
        <div className="thirds">
          <LimitField name="perNetwork" label={m.publishablePerNetwork(l)} limit={fields.perNetwork} />
          <LimitField name="perVisitor" label={m.publishablePerVisitor(l)} limit={fields.perVisitor} />
        </div>
      </fieldset>
      {isNew ? save : <SaveBar>{save}</SaveBar>}
    </PageForm>
  );
}

function LimitField({ name, label, limit }: { name: string; label: string; limit: string }) {
  return (
    <TextField
      name={name}
      type="number"
      inputMode="numeric"
      min={1}
      max={100_000}
      label={label}
      defaultValue={limit}
      required
    />
  );
}
