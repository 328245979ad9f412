import { id, ignored, type MutationRecords, name, newId, rows, sample, text, words } from './record.ts';

type Names =
  | ('createStatus' | 'updateStatus' | 'deleteStatus' | 'rearrangeStatuses' | 'createTag' | 'updateTag' | 'deleteTag')
  | ('createView' | 'updateView' | 'deleteView' | 'rearrangeViews')
  | ('createField' | 'updateField' | 'deleteField' | 'rearrangeFields');

const NEW_STATUS = '01980000-0000-7000-8000-00000000000a';
const NEW_FIELD = '01980000-0000-7000-8000-00000000000b';
const field = { description: text(0, 1_000), locations: text(1, 100) };
const put = (parent: string, value: string) => ({ properties: [{ parent, values: [value] }] });

/** What the board is arranged with: statuses, tags and fields. */
export const arrangingRecords: Pick<MutationRecords, Names> = {
  createStatus: {
    args: { id: newId('status'), boardId: id('board'), name, color: words({ sample: '#fff' }), postId: ignored },
    may: rows.statuses,
    undone: {
      'create a status': {
        does: { id: NEW_STATUS, name: 'New' },
        others: ['changePostStatus', { statusType: 'CUSTOM', statusId: NEW_STATUS }],
      },
    },
  },
  updateStatus: {
    args: { id: id('status', [], { beside: { color: '#fff' } }), name: text(1, 50), color: words(), postId: ignored },
    may: { [rows.statuses]: [{ name: '<name>' }] },
    undone: {
      'change a status': {
        does: { name: 'New', postVisibility: 'TEAM', isOnRoadmap: false },
        others: { name: 'Other' },
      },
    },
  },
  deleteStatus: {
    args: { id: id('status'), postId: ignored },
    may: rows.statuses,
    undone: {
      'delete a status': {
        first: [['changePostStatus', { statusType: 'CUSTOM', statusId: '<status>' }]],
        does: {},
        others: ['changePostStatus'],
      },
    },
  },
  rearrangeStatuses: {
    args: { ids: id('status') },
    may: rows.statuses,
    undone: {
      'rearrange statuses': { does: { ids: ['<status>', '<open>'] }, others: { ids: ['<open>', '<status>'] } },
    },
  },
  createTag: {
    args: { name, color: words() },
    may: rows.tags,
    undone: { 'create a tag': { does: { name: 'New' }, others: ['updatePost', { tagIds: ['<new>'] }] } },
  },
  updateTag: {
    args: { id: id('tag', [], { beside: { color: '#fff' } }), name: text(1, 50), color: words() },
    may: { [rows.tags]: [{ color: '#fff' }] },
    undone: { 'change a tag': { does: { name: 'New', isPrivate: true }, others: { name: 'Other' } } },
  },
  deleteTag: {
    args: { id: id('tag') },
    may: rows.tags,
    undone: {
      'delete a tag': {
        first: [['updatePost', { tagIds: ['<tag>'] }]],
        does: {},
        others: ['createTag', { name: 'Bug' }],
      },
    },
  },
  createView: {
    args: {
      kind: sample('IDEAS'),
      name: text(1, 60, { sample: '<name>' }),
      isShared: sample(true),
      conditions: sample([]),
    },
    may: rows.views,
    undone: { 'create a view': { does: { name: 'New' }, others: ['updateView', { id: '<new>', name: 'Other' }] } },
  },
  updateView: {
    args: { id: id('view', [], { beside: { name: 'Other' } }), name: text(1, 60) },
    may: { [rows.views]: [{ name: '<name>' }] },
    undone: {
      'change a view': {
        does: { name: 'New', conditions: [{ parameter: 'VOTES', values: ['3'] }] },
        others: { name: 'Other' },
      },
    },
  },
  deleteView: {
    args: { id: id('view') },
    may: rows.views,
    undone: { 'delete a view': { does: {}, others: ['createView', { name: 'One' }] } },
  },
  rearrangeViews: {
    args: { ids: id('view') },
    may: rows.views,
    undone: {
      'rearrange views': { does: { ids: ['<later view>', '<view>'] }, others: { ids: ['<view>', '<later view>'] } },
    },
  },
  createField: {
    args: {
      ...field,
      id: newId('field'),
      boardId: id('board'),
      label: text(1, 100, { sample: '<name>' }),
      type: sample('TEXT'),
    },
    may: rows.fields,
    undone: {
      'create a field': { does: { id: NEW_FIELD, label: 'New' }, others: ['updatePost', put(NEW_FIELD, 'x')] },
    },
  },
  updateField: {
    args: {
      ...field,
      id: id('field', [], { beside: { description: 'D' } }),
      boardId: id('board'),
      label: text(1, 100),
      postId: ignored,
    },
    may: { [rows.fields]: [{ isRequired: false }] },
    undone: {
      'change a field': {
        does: { label: 'New', isRequired: true, visibility: 'TEAM' },
        others: { label: 'Other' },
      },
      'remove an option of a field': {
        first: [['updatePost', { properties: [{ parent: '<choice>', values: ['a', 'c'] }] }]],
        does: {
          id: '<choice>',
          options: [
            { id: 'c', name: 'C' },
            { id: 'b', name: 'B' },
          ],
        },
        others: ['updatePost', put('<choice>', 'b')],
      },
    },
  },
  rearrangeFields: {
    args: { ids: id('field') },
    may: rows.fields,
    undone: {
      'rearrange fields': { does: { ids: ['<choice>', '<field>'] }, others: { ids: ['<field>', '<choice>'] } },
    },
  },
  deleteField: {
    args: { id: id('field') },
    may: rows.fields,
    undone: {
      'delete a field': {
        first: [
          ['updatePost', { properties: [...put('<field>', 'x').properties, ...put('<choice>', 'a').properties] }],
        ],
        does: {},
        others: ['createField', { label: 'plan' }],
      },
      'delete a field of a deleted post': {
        first: [['updatePost', put('<field>', 'x')], ['deletePost']],
        does: {},
        others: ['createField', { label: 'plan' }],
      },
    },
  },
};
