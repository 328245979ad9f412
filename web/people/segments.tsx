import '../parts/styles/settings.css';
import './segments.css';
import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import {
  type Comparison,
  type Condition,
  MAX_CONDITIONS,
  type SegmentFilter,
  type Subject,
} from '#src/identity/companies/conditions.ts';
import {
  countSegments,
  createSegment,
  deleteSegment,
  listSegments,
  SEGMENT_NAME,
  updateSegment,
} from '#src/identity/customers/segments.ts';
import { may } from '#src/identity/users/authority.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { ModerationTabs } from '../moderation/tabs.tsx';
import { Checkbox, PageForm, Select, Submit, TextArea, TextField } from '../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';

/** Empty rows for further conditions below those that a segment has. */
const SPARE = 2;

export const loader = memberLoader('user.notes', async ({ context }) => {
  const segments = await listSegments(context);
  const counts = await countSegments(
    context,
    segments.map(({ filter }) => filter),
  );
  return {
    mayEdit: may(context.actor, 'segment.edit'),
    longest: SEGMENT_NAME.max,
    most: MAX_CONDITIONS,
    segments: segments.map((segment, n) => ({ ...segment, people: counts[n] ?? 0 })),
  };
});

export const action = memberAction('segment.edit', async ({ visit, context, form }) => {
  const [intent = '', id = ''] = (form.intent ?? '').split(':');
  const here = `/b/${context.board.pid}/people/segments`;
  const input = { name: form.name ?? '', match: form.match ?? '', conditions: readConditions(form) };
  switch (intent) {
    case 'add':
      await createSegment(context, input);
      throw redirect(withUndo(visit, `${here}?done=saved`));
    case 'edit':
      await updateSegment(context, id, input);
      throw redirect(withUndo(visit, `${here}?done=saved`));
    case 'delete':
      if (form.sure !== 'on') throw redirect(`${here}#segment-${id}`);
      await deleteSegment(context, id);
      throw redirect(withUndo(visit, `${here}?done=removed`));
    default:
      throw new Response(null, { status: 400 });
  }
});

/** The rows of the form that name an attribute, with one value on each line. */
function readConditions(form: Readonly<Record<string, string | undefined>>): Condition[] {
  return Array.from({ length: MAX_CONDITIONS }, (_, n) => n).flatMap((n) => {
    const attribute = form[`attribute${n}`]?.trim() ?? '';
    if (attribute === '') return [];
    const values = (form[`values${n}`] ?? '').split('\n').map((value) => value.trim());
    return {
      of: form[`of${n}`] as Subject,
      attribute,
      comparison: form[`comparison${n}`] as Comparison,
      values: values.filter((value) => value !== ''),
    };
  });
}

/** Segments of people by their attributes and those of their companies. */
export default function Segments() {
  const { segments, mayEdit } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  return (
    <main id="main" className="page stack sections">
      <title>{`${m.customerSegments(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.customerSegments(l)}</h1>
        <p className="muted measure">{m.customerSegmentsHelp(l)}</p>
      </div>
      <ModerationTabs />
      {segments.length === 0 ? (
        <p className="empty">{m.noSegments(l)}</p>
      ) : (
        <ul className="rows">
          {segments.map((segment) => (
            <SegmentRow key={segment.id} segment={segment} answer={answer} />
          ))}
        </ul>
      )}
      {mayEdit && (
        <section className="stack" aria-labelledby="add">
          <h2 id="add">{m.addSegment(l)}</h2>
          <PageForm answer={answer} intent="add" key={segments.length}>
            <SegmentFields />
            <Submit>{m.addSegment(l)}</Submit>
          </PageForm>
        </section>
      )}
    </main>
  );
}

type SegmentView = Awaited<ReturnType<typeof loader>>['segments'][number];

function SegmentRow({ segment, answer }: { segment: SegmentView; answer: FormAnswer | undefined }) {
  const { mayEdit } = useLoaderData<typeof loader>();
  const home = `/b/${useBoard()?.pid}`;
  const l = useLocale();
  const { id, name, filter, people } = segment;
  const edit = `edit:${id}`;
  return (
    <li className="row-item" id={`segment-${id}`}>
      <div className="person">
        <span>
          <bdi>{name}</bdi>
        </span>
        <span className="muted small">
          <Link to={`${home}/people?among=${id}`}>{m.peopleCount(l, { count: people })}</Link>
          {' · '}
          <Link to={`${home}?segment=${id}`}>{m.segmentAskedFor(l)}</Link>
          {' · '}
          <bdi>{describe(l, filter)}</bdi>
        </span>
      </div>
      {mayEdit && (
        <details className="status-edit" open={answer?.values.intent === edit}>
          <summary>
            {m.change(l)} <span className="visually-hidden">{name}</span>
          </summary>
          <PageForm answer={answer} intent={edit} key={JSON.stringify([name, filter])}>
            <SegmentFields segment={segment} />
            <Submit>{m.save(l)}</Submit>
          </PageForm>
          <PageForm answer={answer} intent={`delete:${id}`} className="stack status-delete">
            <Checkbox name="sure" label={m.deleteSegmentSure(l)} isRequired />
            <Submit kind="danger">{m.deleteSegment(l)}</Submit>
          </PageForm>
        </details>
      )}
    </li>
  );
}

/** The conditions in a line. */
function describe(l: Locale, { conditions }: SegmentFilter): string {
  const names = comparisonNames(l);
  return conditions
    .map(({ attribute, comparison, values }) => [attribute, names[comparison], values.join(', ')].join(' ').trim())
    .join(' · ');
}

function comparisonNames(l: Locale): Record<Comparison, string> {
  return {
    IS: m.comparisonIs(l),
    IS_NOT: m.comparisonIsNot(l),
    CONTAINS: m.comparisonContains(l),
    AT_LEAST: m.comparisonAtLeast(l),
    AT_MOST: m.comparisonAtMost(l),
    SINCE: m.comparisonSince(l),
    BEFORE: m.comparisonBefore(l),
    IS_SET: m.comparisonIsSet(l),
    IS_NOT_SET: m.comparisonIsNotSet(l),
  };
}

function SegmentFields({ segment }: { segment?: SegmentView }) {
  const { longest, most } = useLoaderData<typeof loader>();
  const l = useLocale();
  const conditions = segment?.filter.conditions ?? [];
  const rows = Array.from({ length: Math.min(most, conditions.length + SPARE) }, (_, n) => n);
  return (
    <>
      <TextField name="name" label={m.segmentName(l)} defaultValue={segment?.name} maxLength={longest} required />
      <Select
        name="match"
        label={m.segmentMatch(l)}
        defaultValue={segment?.filter.match ?? 'ALL'}
        options={{ ALL: m.segmentMatchAll(l), ANY: m.segmentMatchAny(l) }}
      />
      {rows.map((n) => (
        <ConditionFields key={n} n={n} condition={conditions[n]} />
      ))}
    </>
  );
}

function ConditionFields({ n, condition }: { n: number; condition: Condition | undefined }) {
  const l = useLocale();
  return (
    <fieldset className="condition">
      <legend>{m.segmentCondition(l, { number: n + 1 })}</legend>
      <Select
        name={`of${n}`}
        label={m.segmentOf(l)}
        defaultValue={condition?.of ?? 'COMPANY'}
        options={{ COMPANY: m.segmentOfCompany(l), USER: m.segmentOfUser(l) }}
      />
      <TextField
        name={`attribute${n}`}
        label={m.attribute(l)}
        help={n === 0 && m.segmentAttributeHelp(l)}
        defaultValue={condition?.attribute}
        maxLength={100}
      />
      <Select
        name={`comparison${n}`}
        label={m.segmentComparison(l)}
        defaultValue={condition?.comparison ?? 'IS'}
        options={comparisonNames(l)}
      />
      <TextArea
        name={`values${n}`}
        label={m.segmentValues(l)}
        help={n === 0 && m.segmentValuesHelp(l)}
        defaultValue={condition?.values.join('\n') ?? ''}
        rows={2}
      />
    </fieldset>
  );
}
