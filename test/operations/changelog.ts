import { id, type MutationRecords, rows, sample, text, title } from './record.ts';

type Names =
  | ('createChangelogEntry' | 'updateChangelogEntry' | 'publishChangelogEntry' | 'unpublishChangelogEntry')
  | ('deleteChangelogEntry' | 'addChangelogReaction' | 'removeChangelogReaction');

const body = { text: text(0, 20_000), postIds: id('post'), files: id('file') };
const reacting = {
  args: { id: id('entry'), reaction: sample('HEART') },
  may: rows.reactToEntry,
  permanent: 'each has a mutation that reverses it',
};

export const changelogRecords: Pick<MutationRecords, Names> = {
  createChangelogEntry: {
    args: { ...body, title },
    may: rows.entries,
    undone: {
      'create an entry': {
        does: { title: 'New', postIds: ['<post>'] },
        others: ['updateChangelogEntry', { id: '<new>', text: 'Other' }],
      },
    },
  },
  updateChangelogEntry: {
    args: { ...body, id: id('entry', [], { beside: { title: 'T' } }), title },
    may: { [rows.entries]: [{ title: 'T' }] },
    undone: {
      'change an entry': {
        does: { title: 'New', labels: ['FIXED'], postIds: ['<target>'] },
        others: { labels: ['NEW'] },
      },
    },
  },
  publishChangelogEntry: {
    args: { id: id('entry') },
    may: rows.entries,
    undone: {
      'publish an entry': { does: { id: '<draft>' }, others: ['unpublishChangelogEntry', { id: '<draft>' }] },
      'schedule an entry': { does: { id: '<draft>', at: '2030-01-01T00:00:00.000Z' }, others: { id: '<draft>' } },
    },
  },
  unpublishChangelogEntry: {
    args: { id: id('entry') },
    may: rows.entries,
    undone: { 'withdraw an entry': { does: {}, others: ['publishChangelogEntry'] } },
  },
  deleteChangelogEntry: {
    args: { id: id('entry') },
    may: rows.entries,
    undone: {
      'delete an entry': { does: {}, others: ['mergePosts', { sourceIds: ['<post>'], targetId: '<target>' }] },
    },
  },
  addChangelogReaction: reacting,
  removeChangelogReaction: reacting,
};
