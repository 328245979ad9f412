import { type ArgBuilder, builder, describeValues } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { LONG_TEXT } from '../../platform/graphql/limits.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { pageArgs, pageOf, pageType } from '../../platform/graphql/page.ts';
import { emptyPage } from '../../platform/lib/page.ts';
import { requireTextOr } from '../../platform/texts/text.ts';
import { type CompanyOfUser, type CompanyRow, findCompaniesOf } from '../companies/company.ts';
import { may } from '../users/authority.ts';
import { requireActorContext } from '../users/context.graphql.ts';
import { UserType } from '../users/users.graphql.ts';
import type { UserRow } from '../users/users.ts';
import { countPeopleOf, createCompany, deleteCompany, findCompany, listCompanies, updateCompany } from './companies.ts';

const CompanyObject = builder.objectRef<CompanyRow>('Company').implement({
  description: 'A company whose people are on the board; for the team',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the company on this board' }),
    externalId: t.exposeString('external_id', { description: 'Id of the company in your own system' }),
    name: t.exposeString('name', { description: 'Name, 1 to 100 characters' }),
    plan: t.exposeString('plan', { nullable: true, description: 'What it is subscribed to; null if not given' }),
    monthlyRevenue: t.exposeFloat('monthly_revenue', {
      nullable: true,
      description: 'What it pays a month; null if not given',
    }),
    attributes: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Further facts: texts, numbers, booleans, and dates as texts; null if there are none',
      extensions: LONG_TEXT,
      resolve: ({ attributes }) => (attributes === null ? null : JSON.parse(attributes)),
    }),
    dateCreated: t.expose('date_created', { type: 'DateTime', description: 'When it was registered' }),
    dateUpdated: t.expose('date_updated', { type: 'DateTime', description: 'When it was last changed' }),
  }),
});

const loadPeople = defineLoader<string, void, number>(({ db, board }, ids) => countPeopleOf(db.slow, board.id, ids));

builder.objectField(CompanyObject, 'userCount', (t) =>
  t.int({
    description: 'Number of users who belong to it',
    resolve: async (company, _, context) => (await loadPeople(context, company.id)) ?? 0,
  }),
);

const loadCompanies = defineLoader<string, void, CompanyOfUser[]>(({ db, board }, ids) =>
  findCompaniesOf(db.read, board.id, ids),
);

builder.objectField(UserType, 'companies', (t) =>
  t.field({
    type: [CompanyObject],
    description: 'Companies of the user, by name; visible to moderators and to users with isApiUser, empty for others',
    extensions: reads<UserRow>('id'),
    resolve: async (user, _, context) =>
      may(context.actor, 'customer.see') ? ((await loadCompanies(context, user.id)) ?? []) : [],
  }),
);

const CompanyOrder = builder.enumType('CompanyOrder', {
  description: 'Order of a list of companies',
  values: describeValues({
    NEWEST: 'Last registered first',
    REVENUE: 'Most monthly revenue first',
    PEOPLE: 'Most users first',
  }),
});

builder.queryFields((t) => ({
  companies: t.field({
    type: pageType('CompaniesPayload', CompanyObject, 'companies'),
    description: 'Companies of the board, page by page; none for members without isApiUser',
    args: {
      ...pageArgs(t.arg),
      search: t.arg.string({ description: 'Part of the name or of the external id, at most 100 characters' }),
      sort: t.arg({ type: CompanyOrder, description: 'Default: NEWEST' }),
    },
    resolve(_, { search, sort, ...args }, context) {
      const words = requireTextOr(search ?? null, { field: 'search', min: 0, max: 100 }) || null;
      const acting = requireActorContext(context);
      if (!may(acting.actor, 'customer.see')) return emptyPage;
      return listCompanies(acting, { search: words, order: sort ?? 'NEWEST', ...pageOf(args) });
    },
  }),
  company: t.field({
    type: CompanyObject,
    nullable: true,
    description: 'The company with this id in your system; null if there is none, and for members without isApiUser',
    args: { externalId: t.arg.string({ required: true, description: 'Id of the company in your own system' }) },
    resolve(_, { externalId }, context) {
      const acting = requireActorContext(context);
      return may(acting.actor, 'customer.see') ? findCompany(acting, externalId) : null;
    },
  }),
}));

const properties = (arg: ArgBuilder) => ({
  name: arg.string({ description: '1 to 100 characters; of a new company the default is its external id' }),
  plan: arg.string({ description: 'What it is subscribed to, at most 100 characters; null removes it' }),
  monthlyRevenue: arg.float({ description: 'What it pays a month; null removes it' }),
  attributes: arg({
    type: 'JSON',
    description:
      'Replaces all: an object of at most 50 texts, numbers and booleans; dates are texts such as 2027-01-31',
  }),
});

builder.mutationFields((t) => ({
  createCompany: t.field({
    type: CompanyObject,
    description:
      'For admins and users with isApiUser. Registers a company, or updates the given properties of the one with this id in your system and returns it',
    args: {
      externalId: t.arg.string({
        required: true,
        description: 'Id of the company in your own system, 1 to 255 characters',
      }),
      ...properties(t.arg),
    },
    resolve: (_, { externalId, ...company }, context) =>
      createCompany(requireActorContext(context), { id: externalId, ...company }),
  }),
  updateCompany: t.field({
    type: CompanyObject,
    description: 'For admins and users with isApiUser. Updates the given properties of a company',
    args: { id: t.arg.string({ required: true, description: 'Id of the company on the board' }), ...properties(t.arg) },
    resolve: (_, { id, ...changes }, context) => updateCompany(requireActorContext(context), id, changes),
  }),
  deleteCompany: t.field({
    type: CompanyObject,
    description: 'For admins and users with isApiUser. Deletes a company; its users stay',
    args: { id: t.arg.string({ required: true, description: 'Id of the company on the board' }) },
    resolve: (_, { id }, context) => deleteCompany(requireActorContext(context), id),
  }),
}));
