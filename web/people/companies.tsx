import '../parts/styles/settings.css';
import '../parts/styles/table.css';
import { Form, Link, redirect, useActionData, useLoaderData } from 'react-router';
import { COMPANY_ID, COMPANY_NAME, COMPANY_PLAN } from '#src/identity/companies/company.ts';
import {
  type CompanyOrder,
  companyOrders,
  createCompany,
  deleteCompany,
  listCompanies,
  updateCompany,
} from '#src/identity/customers/companies.ts';
import { may } from '#src/identity/users/authority.ts';
import { formatCount } from '../i18n/format.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { ModerationTabs } from '../moderation/tabs.tsx';
import { Checkbox, PageForm, Select, Submit, TextField } from '../parts/forms/form.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { Older } from '../parts/show/older.tsx';
import { attributesOf } from './person.ts';
import { attributesText } from './words.ts';

const PAGE = 50;
const MAX_SEARCH = 100;

export const loader = memberLoader('user.notes', async ({ visit, context }, args) => {
  const { searchParams } = args.url;
  const search = (searchParams.get('q') ?? '').trim().slice(0, MAX_SEARCH).toWellFormed();
  const order = companyOrders.find((one) => one === searchParams.get('sort')) ?? 'REVENUE';
  if (search !== '') await orErrorPage(visit.countSearch());
  const query = { search: search || null, order, cursor: searchParams.get('after'), limit: PAGE };
  const page = await orErrorPage(listCompanies(context, query));
  const more = new URLSearchParams({ ...(search && { q: search }), sort: order, after: page.cursor ?? '' });
  return {
    search,
    order,
    mayEdit: may(context.actor, 'company.edit'),
    lengths: { id: COMPANY_ID.max, name: COMPANY_NAME.max, plan: COMPANY_PLAN.max },
    companies: page.nodes.map(({ id, external_id, name, plan, monthly_revenue, attributes, people }) => {
      return {
        id,
        externalId: external_id,
        name,
        plan,
        revenue: monthly_revenue,
        attributes: attributesOf(attributes),
        people,
      };
    }),
    next: page.hasMore ? `?${more}` : null,
  };
});

export const action = memberAction('company.edit', async ({ visit, context, form }) => {
  const [intent = '', id = ''] = (form.intent ?? '').split(':');
  const { name = '', plan = '', revenue = '' } = form;
  const monthlyRevenue = revenue.trim() === '' ? null : Number(revenue);
  const here = `/b/${context.board.pid}/people/companies`;
  switch (intent) {
    case 'add':
      await createCompany(context, { id: form.externalId ?? '', ...(name && { name }), plan, monthlyRevenue });
      throw redirect(withUndo(visit, `${here}?sort=NEWEST&done=saved`));
    case 'edit':
      await updateCompany(context, id, { name, plan, monthlyRevenue });
      throw redirect(withUndo(visit, `${here}?done=saved`));
    case 'delete':
      if (form.sure !== 'on') throw redirect(`${here}#company-${id}`);
      await deleteCompany(context, id);
      throw redirect(withUndo(visit, `${here}?done=removed`));
    default:
      throw new Response(null, { status: 400 });
  }
});

/** The companies that users belong to, with what they pay. */
export default function Companies() {
  const { search, order, companies, next, mayEdit } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  return (
    <main id="main" className="page stack sections">
      <title>{`${m.companies(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.companies(l)}</h1>
        <p className="muted measure">{m.companiesHelp(l)}</p>
      </div>
      <ModerationTabs />
      <Form className="find measure" role="search" key={`${search} ${order}`}>
        <TextField name="q" type="search" label={m.companySearch(l)} defaultValue={search} maxLength={MAX_SEARCH} />
        <Select name="sort" label={m.sortBy(l)} defaultValue={order} options={orderNames(l)} />
        <button type="submit" className="button">
          {m.search(l)}
        </button>
      </Form>
      {companies.length === 0 ? (
        <p className="empty">{m.noCompanies(l)}</p>
      ) : (
        <ul className="rows">
          {companies.map((company) => (
            <CompanyRow key={company.id} company={company} answer={answer} />
          ))}
        </ul>
      )}
      <Older to={next} />
      {mayEdit && (
        <section className="stack measure" aria-labelledby="add">
          <h2 id="add">{m.addCompany(l)}</h2>
          <PageForm answer={answer} intent="add" key={companies.length}>
            <CompanyFields />
            <Submit>{m.addCompany(l)}</Submit>
          </PageForm>
        </section>
      )}
    </main>
  );
}

function orderNames(l: Locale): Record<CompanyOrder, string> {
  return { REVENUE: m.monthlyRevenue(l), PEOPLE: m.people(l), NEWEST: m.newest(l) };
}

type CompanyView = Awaited<ReturnType<typeof loader>>['companies'][number];

function CompanyRow({ company, answer }: { company: CompanyView; answer: FormAnswer | undefined }) {
  const { mayEdit } = useLoaderData<typeof loader>();
  const l = useLocale();
  const board = useBoard();
  const { id, name, plan, revenue, people, attributes } = company;
  const edit = `edit:${id}`;
  const facts = [
    plan,
    revenue === null ? null : m.revenueAMonth(l, { amount: formatCount(l, revenue) }),
    attributes.length === 0 ? null : attributesText(attributes),
  ].filter(Boolean);
  return (
    <li className="row-item" id={`company-${id}`}>
      <div className="person">
        <span>
          <bdi>{name}</bdi>
        </span>
        <span className="muted small">
          <Link to={`/b/${board?.pid}/people?company=${id}`}>{m.peopleCount(l, { count: people })}</Link>
          {facts.map((fact) => (
            <span key={fact}>
              {' · '}
              <bdi>{fact}</bdi>
            </span>
          ))}
        </span>
      </div>
      {mayEdit && (
        <details className="status-edit" open={answer?.values.intent === edit}>
          <summary>
            {m.change(l)} <span className="visually-hidden">{name}</span>
          </summary>
          <PageForm answer={answer} intent={edit} key={`${name} ${plan} ${revenue}`}>
            <CompanyFields company={company} />
            <Submit>{m.save(l)}</Submit>
          </PageForm>
          <PageForm answer={answer} intent={`delete:${id}`} className="stack status-delete">
            <Checkbox name="sure" label={m.deleteCompanySure(l)} isRequired />
            <Submit kind="danger">{m.deleteCompany(l)}</Submit>
          </PageForm>
        </details>
      )}
    </li>
  );
}

function CompanyFields({ company }: { company?: CompanyView }) {
  const { lengths } = useLoaderData<typeof loader>();
  const l = useLocale();
  return (
    <>
      <TextField name="name" label={m.companyName(l)} defaultValue={company?.name} maxLength={lengths.name} required />
      {!company && (
        <TextField name="externalId" label={m.companyId(l)} help={m.companyIdHelp(l)} maxLength={lengths.id} required />
      )}
      <TextField name="plan" label={m.companyPlan(l)} defaultValue={company?.plan ?? ''} maxLength={lengths.plan} />
      <TextField
        name="revenue"
        type="number"
        step="any"
        label={m.monthlyRevenue(l)}
        defaultValue={company?.revenue ?? ''}
      />
    </>
  );
}
