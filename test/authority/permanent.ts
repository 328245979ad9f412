/** Operations that `undo` does not take back: mutations, rights of the pages, and parts of others in words. */
export type Permanent = { operations: readonly string[]; reason: string };

/**
 * Everything that changes something and is not undone, with the reason, as docs/api.md has it. A test requires of each
 * mutation and of each right of the pages that it is either undone in a test or here.
 */
export const permanent: readonly Permanent[] = [
  {
    operations: [
      ...['upvotePost', 'downvotePost', 'removeVote', 'subscribeToPost', 'unsubscribeFromPost'],
      ...['addCommentReaction', 'removeCommentReaction', 'addChangelogReaction', 'removeChangelogReaction'],
    ],
    reason: 'each has a mutation that reverses it',
  },
  { operations: ['createPost'], reason: 'deletePost reverses it' },
  {
    operations: ['createUser', 'updateUser'],
    reason: 'personal data is kept in one place, and former values would be a second one',
  },
  { operations: ['deleteUser'], reason: 'erasing is permanent by design' },
  { operations: ['addTeamUser'], reason: 'the mail is on its way: the invitation is canceled, or the member removed' },
  {
    operations: ['key.manage'],
    reason: 'what a key may do is decided in view of its settings, and a revoked key never works again',
  },
  {
    operations: ['webhook.manage'],
    reason:
      'an endpoint is verified before events go there, events that it missed are gone, and a deleted secret is not kept',
  },
  {
    operations: ['user.notes', 'note.delete'],
    reason: 'notes are personal data, of which no copies are kept',
  },
  { operations: ['board.create'], reason: 'a board is deleted on the command line, with everything on it' },
  {
    operations: ['files of changelog entries', 'reactions to changelog entries', 'logo and icon'],
    reason: 'the bytes are removed from the disk, and reactions belong to users',
  },
  {
    operations: ['single sign-on', 'sign-in providers'],
    reason: 'secrets are replaced at once, and a former one must not become valid again',
  },
];
