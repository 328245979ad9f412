import { id, moderator, type QueryRecords, rows, sample, text, title, words } from './record.ts';

/** The queries that take arguments. */
export const queryRecords: QueryRecords = {
  post: { args: { id: id('post', ['merged post']) } },
  postByNumber: { args: { number: sample(1) } },
  posts: {
    args: { search: text(0, 200), segment: id('segment') },
    may: { [rows.assign]: [{ where: { assignedTo: moderator } }] },
  },
  similarPosts: { args: { title, text: text(0, 20_000) } },
  comment: { args: { id: id('comment') } },
  comments: { args: { postId: id('post', ['merged post']) } },
  votes: { args: { postId: id('post', ['merged post']), ssoId: words() } },
  status: { args: { id: id('status') } },
  tag: { args: { id: id('tag') } },
  field: { args: { id: id('field') } },
  changelog: { args: {} },
  changelogEntry: { args: { id: id('entry') } },
  user: { args: { ssoId: words() } },
  users: { args: { search: text(0, 100) } },
  usersPage: { args: { search: text(0, 100), segment: id('segment') } },
  companies: { args: { search: text(0, 100) } },
  company: { args: { externalId: words() } },
  views: { args: {} },
  events: { args: { types: words() } },
  operations: { args: {} },
};
