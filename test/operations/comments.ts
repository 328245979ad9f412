import { ann, id, type MutationRecords, past, rows, sample, text } from './record.ts';

type Names =
  | ('createComment' | 'updateComment' | 'deleteComment' | 'restoreComment' | 'changeCommentModerationStatus')
  | ('addCommentReaction' | 'removeCommentReaction');

const reacting = {
  args: { id: id('comment'), reaction: sample('HEART') },
  may: rows.reactToComment,
  permanent: 'each has a mutation that reverses it',
};

export const commentRecords: Pick<MutationRecords, Names> = {
  createComment: {
    args: {
      postId: id('post'),
      text: text(1, 20_000),
      parentId: id('comment', [], { beside: { postId: '<post of the comment>' } }),
      files: id('file'),
    },
    may: {
      [rows.takePart]: [{}, { parentId: '<comment>' }],
      'write comments of type INTERNAL and OFFICIAL': [{ type: 'INTERNAL' }, { type: 'OFFICIAL' }],
      [rows.actFor]: [{ author: ann }, { dateCreated: past }],
    },
    undone: {
      'official answer': { does: { text: 'Yes', type: 'OFFICIAL' }, others: ['deleteComment', { id: '<new>' }] },
    },
  },
  updateComment: {
    args: { id: id('comment'), text: text(1, 20_000) },
    may: rows.comment,
    undone: { 'text of a comment': { does: { text: 'New' }, others: { text: 'Other' } } },
  },
  deleteComment: {
    args: { id: id('comment') },
    may: rows.comment,
    undone: { 'delete a comment': { does: {}, others: ['restoreComment', { id: '<comment>' }] } },
  },
  restoreComment: {
    args: { id: id('deleted comment', ['comment']) },
    may: {
      'restore a comment': [{ id: '<comment that its author deleted>' }],
      'restore a comment that a moderator deleted': [{ id: '<comment that a moderator deleted>' }],
    },
    undone: {
      'restore a comment': { first: [['deleteComment']], does: { id: '<comment>' }, others: ['deleteComment'] },
    },
  },
  changeCommentModerationStatus: {
    args: { id: id('comment'), moderationStatus: sample('FLAGGED') },
    may: rows.moderate,
    undone: { 'reject a comment': { does: { moderationStatus: 'REJECTED' }, others: {} } },
  },
  addCommentReaction: reacting,
  removeCommentReaction: reacting,
};
