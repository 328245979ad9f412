import type { PostRow } from '#src/feedback/posts/posts.ts';
import { canonicalUrl } from '#src/identity/board/board.ts';
import type { RequestContext } from '#src/identity/users/request-context.ts';
import type { Head } from './head.ts';

/** What search engines want to know of an idea: who wrote it, and how many voted and commented (https://schema.org). */
export function describePosting({ board, baseUrl }: RequestContext, post: PostRow, head: Head, author: string): string {
  const home = canonicalUrl(board, baseUrl);
  const posting = {
    '@type': 'DiscussionForumPosting',
    '@id': head.url,
    url: head.url,
    headline: post.title,
    text: head.description,
    author: { '@type': 'Person', name: author },
    datePublished: new Date(post.date_created).toISOString(),
    dateModified: new Date(post.date_updated).toISOString(),
    ...(head.picture && { image: head.picture.url }),
    interactionStatistic: [countOf('LikeAction', post.upvotes), countOf('CommentAction', post.comment_count)],
  };
  const items = [
    { '@type': 'ListItem', position: 1, name: board.name, item: home },
    { '@type': 'ListItem', position: 2, name: post.title, item: head.url },
  ];
  const breadcrumbs = { '@type': 'BreadcrumbList', itemListElement: items };
  return printForScript({ '@context': 'https://schema.org', '@graph': [posting, breadcrumbs] });
}

function countOf(action: string, count: number) {
  return {
    '@type': 'InteractionCounter',
    interactionType: `https://schema.org/${action}`,
    userInteractionCount: count,
  };
}

/** JSON that cannot end the script element around it, whatever texts it has. */
function printForScript(value: object): string {
  return JSON.stringify(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}
