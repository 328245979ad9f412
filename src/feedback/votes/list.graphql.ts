import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { findUser, type UserRow } from '../../identity/users/users.ts';
import { notFound } from '../../platform/errors.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import type { Context } from '../../platform/graphql/context.ts';
import { defineListLoader } from '../../platform/graphql/loader.ts';
import { pageArgs, pageOf, pageType } from '../../platform/graphql/page.ts';
import type { PageArgs } from '../../platform/lib/page.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import { findPost, type PostRow } from '../posts/posts.ts';
import { listVotes, listVotesOfEach } from './list.ts';
import { VoteTypeEnum } from './votes.graphql.ts';
import type { VoteRow } from './votes.ts';

const VoteObject = builder.objectRef<VoteRow>('Vote').implement({
  description: 'One vote of a user on a post',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the vote' }),
    type: t.expose('type', { type: VoteTypeEnum, description: 'Direction of the vote' }),
    dateCreated: t.expose('date_created', { type: 'DateTime', description: 'When the vote was cast or changed' }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'Who voted; null once that user has been erased',
      resolve: (vote, _, context, info) => loadUser(context, vote.user_id, info),
    }),
    addedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'User who voted on behalf of `user`; null if they voted themselves',
      resolve: (vote, _, context, info) => loadUser(context, vote.added_by, info),
    }),
    post: t.field({
      type: PostType,
      description: 'The post that was voted on',
      async resolve(vote, _, context) {
        const post = await loadPost(context, vote.post_id);
        if (!post) throw notFound('Post');
        return post;
      },
    }),
  }),
});

const VotesPayload = pageType('VotesPayload', VoteObject, 'votes');
const PostVotesPayload = pageType('PostVotesPayload', VoteObject, 'votes');

function loaderOf(column: 'post_id' | 'user_id') {
  return defineListLoader<PageArgs, VoteRow>((context, ids, page) => listVotesOfEach(context, column, ids, page));
}

const loadVotesOfPost = loaderOf('post_id');
const loadVotesOfUser = loaderOf('user_id');

builder.objectField(PostType, 'votes', (t) =>
  t.field({
    type: PostVotesPayload,
    description: 'Votes on the post, oldest first',
    args: pageArgs(t.arg),
    extensions: reads<PostRow>('id'),
    resolve: (post, args, context) => loadVotesOfPost(context, post.id, pageOf(args)),
  }),
);

builder.objectField(UserType, 'votes', (t) =>
  t.field({
    type: VotesPayload,
    description: 'Votes of the user, oldest first',
    args: pageArgs(t.arg),
    extensions: reads<UserRow>('id'),
    resolve: (user, args, context) => loadVotesOfUser(context, user.id, pageOf(args)),
  }),
);

builder.queryField('votes', (t) =>
  t.field({
    type: VotesPayload,
    description: 'Votes on one post, by one user, or all, oldest first',
    args: {
      postId: t.arg.string({ description: 'Only votes on this post' }),
      ssoId: t.arg.string({ description: 'Only votes of the user with this id in your system' }),
      ssoType: t.arg({
        type: 'SSOTypes',
        description: 'Single sign-on integration that `ssoId` belongs to; default: that of the acting user',
      }),
      since: t.arg({ type: 'DateTime', description: 'Only votes cast or changed at or after this instant' }),
      ...pageArgs(t.arg),
    },
    async resolve(_, { postId, ssoId, ssoType, since, ...page }, context) {
      const acting = requireActorContext(context);
      const { db, board, actor } = acting;
      if (postId != null && !(await findPost(db.read, board.id, postId, actor, []))) throw notFound('Post');
      const user = ssoId == null ? null : await findPerson(context, ssoType ?? actor.sso_type ?? '', ssoId);
      const filter = { postId: postId ?? null, userId: user?.id ?? null, since: since ?? null };
      return listVotes(acting, filter, pageOf(page));
    },
  }),
);

async function findPerson({ db, board }: Context, ssoType: string, ssoId: string): Promise<UserRow> {
  const user = await findUser(db.read, board.id, { ssoType, ssoId });
  if (!user) throw notFound('User');
  return user;
}
