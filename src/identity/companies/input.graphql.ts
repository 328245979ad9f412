import { builder } from '../../platform/graphql/builder.ts';

/** A company that a user belongs to, as a client names it. */
export const CompanyInput = builder.inputType('CompanyInput', {
  description: 'A company of a user: it is registered if it is new, and the given properties are updated',
  fields: (t) => ({
    id: t.string({ required: true, description: 'Id of the company in your own system' }),
    name: t.string({ description: 'Name, 1 to 100 characters' }),
    plan: t.string({ description: 'What it is subscribed to, at most 100 characters' }),
    monthlyRevenue: t.float({ description: 'What it pays a month' }),
    attributes: t.field({ type: 'JSON', description: 'Further facts: an object of texts, numbers and booleans' }),
  }),
});
