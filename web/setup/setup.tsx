import { changeBrandImage } from '#src/feedback/files/branding.ts';
import { createPost } from '#src/feedback/lifecycle/creating.ts';
import { vote } from '#src/feedback/votes/votes.ts';
import { DEFAULT_COLOR } from '#src/identity/board/brand.ts';
import { changeBoard, FIRST_SETUP_STEP, LAST_SETUP_STEP } from '#src/identity/settings/settings.ts';
import { setUpBoard } from '#src/operations/boards/create.ts';
import { SETUP_POSTS } from '#src/operations/sample/sample.ts';
import { seedBoard } from '#src/operations/sample/seed.ts';
import '../parts/styles/settings.css';
import './setup.css';
import { type ActionFunctionArgs, Link, redirect, useActionData, useLoaderData } from 'react-router';
import { requireFiles } from '#src/pages/form-body.ts';
import type { Visit } from '#src/pages/visit.ts';
import { PictureForm } from '../account/picture-form.tsx';
import { parseLocale } from '../i18n/format.ts';
import { languageNames } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { readPicture } from '../lib/picture.ts';
import { PageForm, Select, Submit, TextArea, TextField } from '../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf, orFormAnswer, readFormWithFile } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberLoader, requireMember } from '../parts/requests/member.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { BrandColor, chosenColor } from './brand-color.tsx';
import { takeTeamStep, viewTeamStep } from './team-step.ts';
import { TeamStep } from './team-step.tsx';

export const loader = memberLoader('board.edit', async ({ visit, context }, args) => {
  const { board } = context;
  const { step, reached } = requireStep(args.params.step, board);
  const color = board.brand_color ?? DEFAULT_COLOR;
  const { pid, name, description, domain, logo_url: logo } = board;
  // Until the board has a name, its language is that of the person who sets it up.
  const locale = board.setup_step === FIRST_SETUP_STEP ? parseLocale(visit.asked ?? board.locale) : board.locale;
  const confirmation = await findConfirmation(visit);
  return {
    step,
    reached,
    board: { pid, name, description, domain, locale },
    color,
    logo,
    confirmation,
    team: viewTeamStep(visit, context),
  };
});

/** The owner's address that is not confirmed yet, and the folder of the mail to it if there is no mail server. */
async function findConfirmation({ access, mail }: Visit) {
  const account = (await access.current())?.account;
  if (!account || account.is_email_verified === 1) return null;
  return { email: account.email, folder: mail.server === null ? mail.folder : null };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'board.edit');
  const { form, file } = await readFormWithFile(args.request, 'picture');
  const { step } = requireStep(args.params.step, context.board);
  const setupStep = Math.max(context.board.setup_step, step + 1);
  const next = context.board.setup_step === 0 ? {} : { setupStep };
  return orFormAnswer(form, async () => {
    if (step === 2) {
      const { name = '', description = '', pid = '', locale = '' } = form;
      const board = await setUpBoard(context, { name, description, pid, locale, ...next });
      visit.keysChanged();
      throw redirect(`/b/${board.pid}/setup/3`);
    }
    if (step === 3) {
      if (form.intent === 'logo') {
        requireFiles(form, 'picture');
        await changeBrandImage(context, visit.folder, 'LOGO', form.remove ? null : await readPicture(file));
        visit.keysChanged();
      }
      const staysHere = form.intent === 'logo' || form.try !== undefined;
      const color =
        form.intent === 'logo' ? {} : { brandColor: chosenColor(form, context.board.brand_color ?? DEFAULT_COLOR) };
      const { pid } = await changeBoard(context, staysHere ? color : { ...color, ...next });
      throw redirect(`/b/${pid}/setup/${staysHere ? 3 : 4}`);
    }
    if (step === 4) {
      const isInvited = form.skip === undefined && (await takeTeamStep(visit, context, form));
      const { pid } = await changeBoard(context, next);
      const path = `/b/${pid}/setup/5`;
      throw redirect(isInvited ? reportDone(visit, `${path}?done=invited`) : path);
    }
    if (form.intent === 'idea') {
      const externalId = `first-idea-${context.board.id}`;
      const { id } = await createPost(context, { title: form.title ?? '', comment: form.text || null, externalId });
      await vote(context, id, 'UP');
    } else if (form.intent === 'sample') {
      await seedBoard(context, SETUP_POSTS);
    }
    const board = await changeBoard(context, next);
    throw redirect(reportDone(visit, `/b/${board.pid}?done=setup`));
  });
}

/** The step in the URL, the step that was reached, and the progress. @throws a redirect to where the setup continues */
function requireStep(asked: string | undefined, board: { pid: string; setup_step: number }) {
  const reached = board.setup_step === 0 ? LAST_SETUP_STEP : board.setup_step;
  const step = Number(asked);
  if (Number.isInteger(step) && step >= FIRST_SETUP_STEP && step <= reached) return { step, reached };
  throw redirect(board.setup_step === 0 ? `/b/${board.pid}/settings` : `/b/${board.pid}/setup/${board.setup_step}`);
}

type Data = Awaited<ReturnType<typeof loader>>;

/** The setup after the owner's account: name and URL, branding, team, first idea. It resumes where it was left. */
export default function Setup() {
  const setup = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const titles = [m.setupOwner(l), m.setupBoard(l), m.branding(l), m.members(l), m.setupIdea(l)];
  const title = titles[setup.step - 1] ?? '';
  return (
    <main id="main" className="page-setup">
      <title>{`${title} · ${setup.board.name}`}</title>
      <ol className="steps">
        {titles.map((words, n) => (
          <li key={words} aria-current={n + 1 === setup.step ? 'step' : undefined} data-done={n + 1 < setup.reached}>
            {n > 0 && n + 1 <= setup.reached ? <Link to={`/b/${setup.board.pid}/setup/${n + 1}`}>{words}</Link> : words}
          </li>
        ))}
      </ol>
      <div className="card stack">
        <p className="muted small">{m.stepOf(l, { step: setup.step, steps: titles.length })}</p>
        <h1>{title}</h1>
        {setup.step === 2 && setup.confirmation && <Confirmation {...setup.confirmation} />}
        {setup.step === 2 && <BoardStep setup={setup} answer={answer} />}
        {setup.step === 3 && <BrandingStep setup={setup} answer={answer} />}
        {setup.step === 4 && <TeamStep team={setup.team} answer={answer} />}
        {setup.step === 5 && <IdeaStep answer={answer} />}
      </div>
    </main>
  );
}

function Confirmation({ email, folder }: { email: string; folder: string | null }) {
  const l = useLocale();
  if (folder === null) return <p className="note">{m.setupConfirm(l, { email })}</p>;
  return (
    <p className="note">
      {m.setupConfirmFile(l, { email })} <code className="break">{folder}</code>
    </p>
  );
}

type StepProps = { setup: Data; answer: FormAnswer | undefined };

function BoardStep({ setup: { board }, answer }: StepProps) {
  const l = useLocale();
  return (
    <PageForm answer={answer}>
      <TextField name="name" label={m.boardName(l)} defaultValue={board.name} maxLength={100} required />
      <TextField
        name="pid"
        label={m.boardPid(l)}
        help={m.boardPidHelp(l)}
        defaultValue={board.pid}
        maxLength={40}
        required
      />
      <TextArea
        name="description"
        label={m.boardDescription(l)}
        help={m.boardDescriptionHelp(l)}
        defaultValue={board.description ?? ''}
        rows={3}
        maxLength={1_000}
      />
      <Select name="locale" label={m.language(l)} defaultValue={board.locale} options={languageNames} />
      <Submit>{m.goOn(l)}</Submit>
    </PageForm>
  );
}

function BrandingStep({ setup: { color, logo }, answer }: StepProps) {
  const l = useLocale();
  return (
    <>
      <PictureForm answer={answer} intent="logo" label={m.logo(l)} help={m.logoHelp(l)} src={logo} />
      <PageForm answer={answer} intent="color">
        <BrandColor key={color} color={color} />
        <div className="row">
          <Submit>{m.goOn(l)}</Submit>
          <noscript>
            <Submit kind="plain" name="try" value="on">
              {m.tryColor(l)}
            </Submit>
          </noscript>
        </div>
      </PageForm>
    </>
  );
}

function IdeaStep({ answer }: { answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <>
      <p>{m.setupIdeaHelp(l)}</p>
      <PageForm answer={answer} intent="idea">
        <TextField name="title" label={m.ideaTitle(l)} maxLength={200} required />
        <TextArea name="text" label={m.ideaText(l)} rows={4} maxLength={20_000} />
        <Submit>{m.postIdea(l)}</Submit>
      </PageForm>
      <hr className="rule" />
      <p>
        {m.importInvite(l)} <Link to="../settings/import">{m.importInviteLink(l)}</Link>
      </p>
      <div className="row">
        <PageForm answer={answer} intent="sample" className="inline">
          <Submit kind="plain">{m.addSample(l)}</Submit>
        </PageForm>
        <PageForm answer={answer} intent="skip" className="inline">
          <Submit kind="plain">{m.startEmpty(l)}</Submit>
        </PageForm>
      </div>
    </>
  );
}
