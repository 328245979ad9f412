import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { badRequest } from '../../platform/errors.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { requireLimit } from '../../platform/lib/page.ts';
import { requireText, requireTextOr } from '../../platform/texts/text.ts';
import { findDescriptions } from '../comments/comments.ts';
import { PostType } from '../posts/posts.graphql.ts';
import { findPosts, type PostRow } from '../posts/posts.ts';
import { findSimilar, type SimilarPost } from '../search/similar.ts';

const SimilarPostObject = builder.objectRef<SimilarPost>('SimilarPost').implement({
  description: 'A post that resembles a given text',
  fields: (t) => ({
    post: t.expose('post', { type: PostType, description: 'The similar post' }),
    score: t.exposeFloat('score', { description: 'Similarity from 0 to 1, where 1 is the same text' }),
    matched: t.exposeStringList('matched', {
      description: 'Words, or parts of words, that both have in common; meant for display',
    }),
  }),
});

/** Each requires its own search. */
const MAX_POSTS = 10;

const loadSimilar = defineLoader<string, number, SimilarPost[]>(async (context, postIds, limit) => {
  if (postIds.length > MAX_POSTS) {
    throw badRequest(`similar can be requested for at most ${MAX_POSTS} posts of a list; there are ${postIds.length}`);
  }
  const { db, board, actor } = context;
  const posts = await findPosts(db.read, board.id, postIds, actor);
  const descriptions = await findDescriptions(db.read, { boardId: board.id, postIds });
  const texts = new Map(descriptions.map((comment) => [comment.post_id, comment.text]));
  const similar = await Promise.all(
    posts.map(({ id, title }) => findSimilar(context, { title, text: texts.get(id) ?? null, exceptId: id }, limit)),
  );
  return new Map(posts.map(({ id }, n) => [id, similar[n] ?? []]));
});

builder.objectField(PostType, 'similar', (t) =>
  t.field({
    type: [SimilarPostObject],
    description: `Posts that resemble this one, best match first; may be requested for at most ${MAX_POSTS} posts of a list`,
    args: { limit: t.arg.int({ description: 'Number of posts, 1 to 100 (default 20)' }) },
    extensions: reads<PostRow>('id'),
    resolve: async (post, { limit }, context) => (await loadSimilar(context, post.id, requireLimit(limit))) ?? [],
  }),
);

builder.queryField('similarPosts', (t) =>
  t.field({
    type: [SimilarPostObject],
    description: 'Posts whose title or text resembles the given one, best match first, in any language',
    args: {
      title: t.arg.string({ required: true, description: '1 to 200 characters' }),
      text: t.arg.string({ description: 'At most 20,000 characters' }),
      limit: t.arg.int({ description: 'Number of posts, 1 to 100 (default 20)' }),
    },
    resolve: (_, args, context) => {
      const title = requireText(args.title, { field: 'title', min: 1, max: 200 });
      const text = requireTextOr(args.text ?? null, { field: 'text', min: 0, max: 20_000 });
      return findSimilar(requireActorContext(context), { title, text }, requireLimit(args.limit));
    },
  }),
);
