/** What `undo` does not take back beside mutations: rights of the pages, and parts of operations in words. */
export type Permanent = { operations: readonly string[]; reason: string };

/**
 * What is done on the pages and not undone, with the reason, as docs/api.md has it; of mutations, their records in
 * `test/operations/` say so. A test requires of each right of the pages that it is either undone in a test or here.
 */
export const permanent: readonly Permanent[] = [
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
