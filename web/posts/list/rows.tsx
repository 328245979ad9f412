import { useLive } from '../live.ts';
import type { Marked, PostView } from '../posts.ts';
import { PostRow } from '../row.tsx';

type RowsProps = {
  posts: readonly PostView[];
  /** What was searched for in each of them. */
  marked: readonly Marked[] | null;
  isCompact: boolean;
  statuses: Parameters<typeof useLive>[1];
};

/** The ideas of the list. Votes, comments and statuses of others appear in them; the ideas and their order stay. */
export function Rows({ posts, marked, isCompact, statuses }: RowsProps) {
  useLive(posts, statuses);
  return (
    <ol className={isCompact ? 'posts compact flat-votes' : 'posts'}>
      {posts.map((post, index) => (
        <PostRow key={post.id} post={post} marked={marked?.[index]} />
      ))}
    </ol>
  );
}
