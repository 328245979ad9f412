import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import { type TrackerKind, trackerKinds, trackerNames } from '#src/operations/trackers/kinds.ts';
import {
  changeTracker,
  connectTracker,
  disconnectTracker,
  findTrackerSecret,
  listTrackers,
  makeTrackerHook,
  trackerRules,
} from '#src/operations/trackers/trackers.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { localize } from '../../lib/localize.ts';
import { Checkbox, PageForm, Select, Submit, TextField } from '../../parts/forms/form.tsx';
import { useKeptKey } from '../../parts/forms/kept-key.ts';
import { type FormAnswer, formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { Picker } from '../../parts/show/picker.tsx';
import { Sentence } from '../../parts/show/sentence.tsx';
import { Time } from '../../parts/show/time.tsx';
import { CopyText } from '../../parts/team/copy.tsx';

/** Where each tracker takes webhooks. */
const hookHelps: Record<TrackerKind, (l: Locale) => string> = {
  GITHUB: m.trackerHookHelp,
  GITLAB: m.trackerHookHelpGitlab,
  LINEAR: m.trackerHookHelpLinear,
  JIRA: m.trackerHookHelpJira,
};

export const loader = memberLoader('board.edit', async ({ visit, context }, { url }) => {
  const trackers = (await listTrackers(context)).map(({ failure, ...tracker }) => ({
    ...tracker,
    failure: failure && localize(failure.text, failure),
  }));
  const shown = url.searchParams.get('secret');
  const secret = trackers.some(({ id }) => id === shown)
    ? await findTrackerSecret(context, visit.sender.cipher, shown ?? '')
    : null;
  const kinds = trackerNames;
  return { trackers, kinds, shown: secret === null ? null : { id: shown, secret } };
});

export const action = memberAction('board.edit', async ({ visit, context, form }) => {
  const { intent = '', id = '', project = '', token = '' } = form;
  const kind = trackerKinds.find((name) => name === form.kind);
  const home = `/b/${context.board.pid}/settings/trackers`;
  if (intent === 'connect') {
    if (!kind) throw new Response(null, { status: 400 });
    const made = await connectTracker(context, visit.sender, { kind, named: project, token });
    throw redirect(reportDone(visit, `${home}?done=saved&secret=${made.id}`));
  }
  if (intent === 'hook') await makeTrackerHook(context, visit.sender, id);
  else if (intent === 'disconnect') await disconnectTracker(context, id);
  else if (intent === 'change') {
    const rule = trackerRules.find((name) => name === form.rule);
    if (!rule) throw new Response(null, { status: 400 });
    await changeTracker(context, id, { rule, tellsIssues: form.tells === 'on' });
  } else throw new Response(null, { status: 400 });
  throw redirect(reportDone(visit, `${home}?done=saved`));
});

/** The projects whose issues the team links with ideas. */
export default function Trackers() {
  const { trackers, kinds, shown } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const kept = useKeptKey(answer);
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <PageTitle>{m.trackers(l)}</PageTitle>
        <p className="muted">
          <Sentence text={m.trackersHelp(l, { docs: '{docs}' })} parts={{ docs: <code>docs/trackers.md</code> }} />
        </p>
      </div>
      {trackers.map((tracker) => (
        <Tracker
          key={tracker.id}
          tracker={tracker}
          name={kinds[tracker.kind]}
          answer={answer?.values.id === tracker.id ? answer : undefined}
          secret={shown?.id === tracker.id ? shown.secret : null}
        />
      ))}
      <section className="stack" aria-labelledby="connect">
        <h2 id="connect">{m.trackerConnect(l)}</h2>
        {trackers.length === 0 && <p className="muted">{m.trackersNone(l)}</p>}
        <PageForm key={kept} answer={answer} intent="connect">
          <Select name="kind" label={m.trackerKind(l)} defaultValue="GITHUB" options={kinds} />
          <TextField
            name="project"
            label={m.trackerProject(l)}
            help={m.trackerProjectHelp(l)}
            maxLength={500}
            autoComplete="off"
            required
          />
          <TextField
            name="token"
            type="password"
            label={m.trackerToken(l)}
            help={m.trackerTokenHelp(l)}
            maxLength={500}
            autoComplete="off"
            required
          />
          <Submit>{m.trackerConnect(l)}</Submit>
        </PageForm>
      </section>
    </div>
  );
}

type TrackerProps = {
  tracker: Awaited<ReturnType<typeof loader>>['trackers'][number];
  /** What its product is called. */
  name: string;
  /** What came of its forms. */
  answer: FormAnswer | undefined;
  /** What signs its requests, if that is to be shown. */
  secret: string | null;
};

function Tracker({ tracker, name, answer, secret }: TrackerProps) {
  const { id, project, rule, tellsIssues, dateRead, failure } = tracker;
  const l = useLocale();
  const rules = { ASK: m.trackerRuleAsk(l), COMPLETE: m.trackerRuleComplete(l), NOTHING: m.trackerRuleNothing(l) };
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>
        {name}: <bdi>{project}</bdi>
      </h2>
      {failure ? (
        <p className="note" data-kind="error">
          <bdi>{failure}</bdi>
        </p>
      ) : (
        <p className="muted">
          <Sentence text={m.trackerRead(l, { time: '{time}' })} parts={{ time: <Time date={dateRead} /> }} />
        </p>
      )}
      <Hook tracker={tracker} answer={answer} secret={secret} />
      <PageForm answer={undefined} intent="change">
        <input type="hidden" name="id" value={id} />
        <Select name="rule" label={m.trackerRule(l)} defaultValue={rule} options={rules} />
        <Checkbox name="tells" label={m.trackerTells(l)} help={m.trackerTellsHelp(l)} defaultChecked={tellsIssues} />
        <Submit>{m.save(l)}</Submit>
      </PageForm>
      <Picker
        id={`disconnect-${id}`}
        label={`${m.trackerDisconnect(l)}: ${project}`}
        className="button"
        button={m.trackerDisconnect(l)}
      >
        <PageForm answer={undefined} intent="disconnect">
          <input type="hidden" name="id" value={id} />
          <p>{m.trackerDisconnectHelp(l)}</p>
          <Submit kind="danger">{m.trackerDisconnect(l)}</Submit>
        </PageForm>
      </Picker>
    </section>
  );
}

/** How the tracker gets the webhook that sends its changes. */
function Hook({ tracker: { id, kind, url, makesHook }, answer, secret }: Omit<TrackerProps, 'name'>) {
  const l = useLocale();
  return (
    <>
      <p className="muted">{hookHelps[kind](l)}</p>
      {makesHook ? (
        <PageForm answer={answer} intent="hook">
          <input type="hidden" name="id" value={id} />
          <Submit>{m.trackerHookMake(l)}</Submit>
        </PageForm>
      ) : (
        <>
          <CopyText text={url} label={m.trackerHook(l)} />
          {secret === null ? (
            <p>
              <Link to={`?secret=${id}`} preventScrollReset>
                {m.trackerHookSecret(l)}
              </Link>
            </p>
          ) : (
            <CopyText text={secret} label={m.trackerHookSecret(l)} />
          )}
        </>
      )}
    </>
  );
}
