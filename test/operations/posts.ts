import { attributeList } from '../../src/feedback/posts/attributes.ts';
import { issueUrl } from '../support/trackers.ts';
import { ann, id, type MutationRecords, moderator, past, rows, sample, text, title, words } from './record.ts';

type Names =
  | ('createPost' | 'updatePost' | 'deletePost' | 'restorePost' | 'changePostStatus' | 'changePostModerationStatus')
  | (
      | 'mergePosts'
      | 'unmergePost'
      | 'assignPost'
      | 'unassignPost'
      | 'linkIssue'
      | 'unlinkIssue'
      | 'upvotePost'
      | 'downvotePost'
      | 'removeVote'
    )
  | ('subscribeToPost' | 'unsubscribeFromPost');

const textAttributes = attributeList.filter(({ type }) => type === 'String');
const reversed = { permanent: 'each has a mutation that reverses it' };
const assigned = { args: { postId: id('post', ['merged post']), user: sample(moderator) }, may: rows.assign };
const following = {
  ...reversed,
  args: { postId: id('post') },
  may: { [rows.takePart]: [{}], [rows.actFor]: [{ user: ann }] },
};
const voting = {
  ...reversed,
  args: { postId: id('post') },
  may: { [rows.takePart]: [{}], [rows.actFor]: [{ voter: ann }] },
};

export const postRecords: Pick<MutationRecords, Names> = {
  createPost: {
    args: {
      title: { ...title, sample: 'T' },
      comment: text(1, 20_000),
      externalId: text(1, 255),
      statusId: id('status'),
      tagIds: id('tag'),
      files: id('file'),
    },
    may: {
      [rows.takePart]: [{ comment: 'C' }],
      'choose public tags for a new post (`createPost(tagIds:)`)': [{ tagIds: ['<tag>'] }],
      'fill in public fields of a new post (`createPost(properties:)`)': [
        { properties: [{ parent: '<field>', values: ['x'] }] },
      ],
      [rows.status]: [{ statusId: '<status>' }],
      [rows.actFor]: [{ author: ann }, { dateCreated: past }],
    },
    permanent: 'deletePost reverses it',
  },
  updatePost: {
    args: {
      id: id('post', ['merged post'], { beside: { title: 'T' } }),
      title,
      comment: text(1, 20_000),
      ...Object.fromEntries(textAttributes.map((attribute) => [attribute.name, words()])),
      tagIds: id('tag'),
    },
    may: {
      'change the title and text of a post': [{ title: 'T' }, { comment: 'C' }],
      'change the public fields of a post (`updatePost(properties:)`)': [
        { properties: [{ parent: '<field>', values: ['x'] }] },
      ],
      'lock and pin a post': [{ isLocked: true }, { isPinned: true }],
      'set when a post is expected (`updatePost(expected:)`)': [{ expected: '2026-Q3' }],
      'change the tags of a post (`updatePost(tagIds:)`)': [{ tagIds: ['<tag>'] }],
    },
    undone: {
      title: { does: { title: 'New' }, others: { title: 'Other' } },
      description: { does: { comment: 'New' }, others: ['updateComment', { id: '<description>', text: 'Other' }] },
      'first description': { does: { id: '<bare>', comment: 'New' }, others: { id: '<bare>', comment: 'Other' } },
      tags: { does: { tagIds: ['<tag>'] }, others: { tagIds: [] } },
      fields: {
        does: { properties: [{ parent: '<field>', values: ['x'] }] },
        others: { properties: [{ parent: '<field>', values: ['y'] }] },
      },
      lock: { does: { isLocked: true }, others: { isLocked: false } },
      expected: { does: { expected: '2027-Q1' }, others: { expected: '2028-Q1' } },
      pin: { does: { isPinned: true }, others: { isPinned: false } },
    },
  },
  deletePost: {
    args: { postId: id('post') },
    may: rows.delete,
    undone: { 'delete a post': { does: {}, others: ['restorePost'] } },
  },
  restorePost: {
    args: { id: id('post', ['deleted post', 'merged post']) },
    may: {
      [rows.delete]: [{}, { id: '<post that its author deleted>' }],
      'restore a post that a moderator deleted': [{ id: '<post that a moderator deleted>' }],
    },
    undone: { 'restore a post': { first: [['deletePost']], does: {}, others: ['deletePost'] } },
  },
  changePostStatus: {
    args: {
      postId: id('post'),
      statusType: sample('COMPLETED'),
      statusId: id('status', [], { beside: { statusType: 'CUSTOM' } }),
      comment: text(1, 20_000),
    },
    may: rows.status,
    undone: {
      status: { does: {}, others: { statusType: 'ARCHIVED' } },
      'status with a message': { does: { comment: 'Done' }, others: { statusType: 'ARCHIVED' } },
    },
  },
  changePostModerationStatus: {
    args: { id: id('post', ['merged post']), moderationStatus: sample('FLAGGED') },
    may: rows.moderate,
    undone: { 'reject a post': { does: { moderationStatus: 'REJECTED' }, others: {} } },
  },
  mergePosts: {
    args: { sourceIds: id('post', [], { sample: ['<another post>'] }), targetId: id('post') },
    may: rows.merge,
    undone: {
      merge: {
        does: { sourceIds: ['<post>', '<bare>'], targetId: '<target>' },
        others: ['unmergePost', { id: '<bare>' }],
      },
    },
  },
  unmergePost: {
    args: { id: id('merged post') },
    may: rows.merge,
    undone: {
      unmerge: {
        first: [['mergePosts', { sourceIds: ['<post>'], targetId: '<target>' }]],
        does: { id: '<post>' },
        others: ['mergePosts', { sourceIds: ['<post>'], targetId: '<bare>' }],
      },
    },
  },
  assignPost: { ...assigned, undone: { assign: { does: {}, others: ['unassignPost'] } } },
  unassignPost: {
    ...assigned,
    undone: { unassign: { first: [['assignPost']], does: {}, others: ['assignPost'] } },
  },
  linkIssue: {
    args: { postId: id('post'), issue: words({ sample: issueUrl(12) }) },
    may: rows.issues,
    undone: { 'link an issue': { does: { issue: issueUrl(12) }, others: ['unlinkIssue', { id: '<issue>' }] } },
  },
  unlinkIssue: {
    args: { id: id('issue') },
    may: rows.issues,
    undone: { 'unlink an issue': { does: {}, others: ['linkIssue', { issue: issueUrl(13) }] } },
  },
  upvotePost: voting,
  downvotePost: voting,
  removeVote: voting,
  subscribeToPost: following,
  unsubscribeFromPost: following,
};
