import { createClient } from 'earshot-client';

/** What TypeScript knows of calls; `package.test.ts` checks it with the installed package. */
const earshot = createClient({ url: 'http://localhost:4000', apiKey: 'esk_' });

const post = await earshot.createPost(
  { title: 'Dark mode', dateCreated: new Date(), files: [] },
  { id: true, author: { name: true }, tags: { name: true }, comments: { $args: { limit: 3 }, nodes: { text: true } } },
);
post.id satisfies string;
post.author satisfies { name: string | null } | null;
post.tags satisfies { name: string }[];
post.comments.nodes satisfies { text: string }[];
// @ts-expect-error the title was not selected
post.title;
// @ts-expect-error a title is required
await earshot.createPost({}, { id: true });
// @ts-expect-error there is no such argument
await earshot.createPost({ title: 'x', tilte: 'x' }, { id: true });
// @ts-expect-error there is no such field
await earshot.createPost({ title: 'x' }, { id: true, idd: true });
// @ts-expect-error nor below
await earshot.createPost({ title: 'x' }, { id: true, author: { nome: true } });
// @ts-expect-error there is no such order
await earshot.posts({ sort: 'BEST' }, { hasMore: true });

const found = await earshot.post({ id: 'x' }, { id: true });
// @ts-expect-error there may be none
found.id;
(await earshot.board({ name: true })).name satisfies string;
(await earshot.rearrangeStatuses({ ids: [] })) satisfies boolean;
(await earshot.listStatuses({ name: true })) satisfies { name: string }[];
for await (const { title } of earshot.each.posts({ sort: 'TOP' }, { title: true })) title satisfies string;
const { result, effects } = await earshot.dryRun.deletePost({ postId: 'x' }, { id: true });
[result.id, effects.mailed] satisfies [string, number];
for await (const event of earshot.follow({ types: ['post.created'] })) {
  if (event.event === 'comment.created') event.data.comment.text satisfies string | undefined;
}
// @ts-expect-error there is no such event
earshot.follow({ types: ['post.exploded'] });
