import { NO_BUDGET } from '#src/identity/keys/budget.ts';
import { defaultRateRules } from '#src/identity/keys/keys.ts';
import { issueKey } from '#src/identity/keys/managing.ts';
import { makeToken } from '#src/platform/lib/ids.ts';
import './export.css';
import { Link, useActionData, useLoaderData } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { Checkbox, PageForm, Submit, TextField } from '../../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { CopyText } from '../../parts/team/copy.tsx';
import { Download } from './download.tsx';

const NONCE_BYTES = 32;

export const loader = memberLoader('board.edit', ({ context }) => {
  const { pid, post_count, plan } = context.board;
  return {
    nonce: makeToken(NONCE_BYTES),
    board: `/b/${pid}`,
    posts: post_count,
    hasApi: plan !== 'FREE',
  };
});

export const action = memberAction('key.manage', async ({ visit, context, form }) => {
  const { baseUrl } = visit;
  const settings = {
    name: form.name ?? '',
    permissions: ['READ'] as const,
    allowedIps: [],
    rateRules: defaultRateRules,
    expiresAt: null,
    budget: NO_BUDGET,
  };
  const { key } = await issueKey(context, settings, visit.keyForm(form.nonce ?? ''));
  visit.keysChanged();
  const more = ['comments', 'votes'].map((name) => (form[name] === 'on' ? `&${name}=true` : '')).join('');
  return { link: `${baseUrl}/api/board.csv?apikey=${key}${more}` };
});

/** Everything on the board, as a file or as a link that a spreadsheet loads. */
export default function Export() {
  const { nonce, board, posts, hasApi } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const l = useLocale();
  return (
    <div className="stack sections">
      <PageTitle>{m.exportTitle(l)}</PageTitle>
      <p className="muted">{m.exportHelp(l)}</p>
      <section className="stack" aria-labelledby="download">
        <h2 id="download">{m.exportDownload(l)}</h2>
        {posts === 0 ? (
          <p className="empty">
            {m.exportEmpty(l)} <Link to={board}>{m.exportFirstIdea(l)}</Link>
          </p>
        ) : (
          <Download action={`${board}/settings/export/file`} posts={posts} />
        )}
      </section>
      <section className="stack" aria-labelledby="sheet">
        <h2 id="sheet">{m.sheetTitle(l)}</h2>
        <p className="muted">{m.sheetHelp(l)}</p>
        {!hasApi && (
          <p className="note" data-kind="warning">
            {m.apiOff(l)}
          </p>
        )}
        {result && 'link' in result ? (
          <SheetLink link={result.link} />
        ) : (
          hasApi && <SheetForm nonce={nonce} answer={formAnswerOf(result)} />
        )}
        <p className="small">
          {m.sheetRevoke(l)} <Link to="../apis">{m.apis(l)}</Link>.
        </p>
      </section>
    </div>
  );
}

function SheetForm({ nonce, answer }: { nonce: string; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <PageForm answer={answer}>
      {/* Redisplayed input keeps the nonce of its page: sent twice, it creates one key. */}
      <input type="hidden" name="nonce" value={answer?.values.nonce ?? nonce} />
      <TextField
        name="name"
        label={m.sheetName(l)}
        defaultValue={m.sheetNameDefault(l)}
        autoComplete="off"
        maxLength={100}
        required
      />
      <div>
        <Checkbox name="comments" label={m.exportComments(l)} />
        <Checkbox name="votes" label={m.exportVotes(l)} />
      </div>
      <Submit>{m.sheetMake(l)}</Submit>
    </PageForm>
  );
}

/** The link, shown once, and where to paste it in common programs. */
function SheetLink({ link }: { link: string }) {
  const l = useLocale();
  return (
    <div className="stack">
      <p className="note" data-kind="warning" role="alert">
        {m.sheetOnce(l)}
      </p>
      <CopyText text={link} label={m.sheetLink(l)} />
      <CopyText text={`=IMPORTDATA("${link}")`} label={m.sheetGoogle(l)} />
      <ul className="bullets">
        <li>{m.sheetExcel(l)}</li>
        <li>{m.sheetLibre(l)}</li>
      </ul>
    </div>
  );
}
