/** A post in lists, and after a change. */
export const POST_LINE = `fragment PostLine on Post {
  number title url excerpt upvoteCount commentCount dateCreated moderationStatus
  status { name } tags { name } author { name }
}`;

type Named = { name: string | null };

/** What `PostLine` selects. */
export type PostLine = {
  number: number;
  title: string;
  url: string;
  excerpt: string | null;
  upvoteCount: number;
  commentCount: number;
  dateCreated: string;
  moderationStatus: string;
  status: Named;
  tags: Named[];
  author: Named | null;
};

/** Names of tags that a post in a list has: all of them may be 50. */
const MAX_TAGS = 10;

/** A post as agents see it: with names instead of objects. */
export function showPost<T extends PostLine>({ status, tags, author, upvoteCount, dateCreated, ...rest }: T) {
  return {
    ...rest,
    status: status.name,
    tags: tags.slice(0, MAX_TAGS).map(({ name }) => name),
    upvotes: upvoteCount,
    author: author?.name ?? null,
    created: dateCreated,
  };
}
