import type { SegmentConditionInput } from '../../sdk/src/schema.ts';
import { id, type MutationRecords, rows, sample, text } from './record.ts';

type Names =
  | ('createCompany' | 'updateCompany' | 'deleteCompany')
  | ('createSegment' | 'updateSegment' | 'deleteSegment');

const company = { name: text(1, 100), plan: text(0, 100) };
const isPro: SegmentConditionInput = { of: 'COMPANY', attribute: 'plan', comparison: 'IS', values: ['Pro'] };
const conditions = sample([isPro]);

/** Who asks: companies, and segments of people. */
export const customerRecords: Pick<MutationRecords, Names> = {
  createCompany: {
    args: { ...company, externalId: text(1, 255, { sample: '<name>' }) },
    may: rows.companies,
    undone: {
      'register a company': {
        does: { externalId: 'new' },
        others: ['updateUser', { ssoId: 'zoe', ssoType: 'SSO', companies: [{ id: 'new' }] }],
      },
      'change a company by the id of the own system': {
        first: [['createCompany', { externalId: 'acme', name: 'Acme' }]],
        does: { externalId: 'acme', plan: 'Pro', monthlyRevenue: 5, attributes: { seats: 3 } },
        others: { externalId: 'acme', plan: 'Free' },
      },
    },
  },
  updateCompany: {
    args: { ...company, id: id('company') },
    may: { [rows.companies]: [{ plan: 'Pro' }] },
    undone: { 'change a company': { does: { name: 'New', monthlyRevenue: 5 }, others: { name: 'Other' } } },
  },
  deleteCompany: {
    args: { id: id('company') },
    may: rows.companies,
    undone: {
      'delete a company': { does: {}, others: ['createCompany', { externalId: 'company', name: 'Other' }] },
    },
  },
  createSegment: {
    args: { name: text(1, 60, { sample: '<name>' }), conditions },
    may: rows.segments,
    undone: {
      'create a segment': { does: { name: 'New' }, others: ['updateSegment', { id: '<new>', name: 'Other' }] },
    },
  },
  updateSegment: {
    args: { id: id('segment'), name: text(1, 60) },
    may: { [rows.segments]: [{ name: '<name>' }] },
    undone: {
      'change a segment': {
        does: { name: 'New', match: 'ANY', conditions: [isPro, isPro] },
        others: { name: 'Other' },
      },
    },
  },
  deleteSegment: {
    args: { id: id('segment') },
    may: rows.segments,
    undone: {
      'delete a segment': { does: {}, others: ['createSegment', { name: 'segment', conditions: [isPro] }] },
    },
  },
};
