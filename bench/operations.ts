/** A kind of read: its name in the table, its document, and the variables of each request in turn. */
export type Operation = { name: string; words: string; query: string; variables: readonly Record<string, unknown>[] };

/** The reads that are measured; `ids` are those of posts. */
export function makeReads(ids: readonly string[]): Operation[] {
  return [
    {
      name: 'post',
      words: 'one post by id',
      query: 'query ($id: String!) { post(id: $id) { id title upvoteCount } }',
      variables: ids.map((id) => ({ id })),
    },
    {
      name: 'list',
      words: '20 posts',
      query: '{ posts(limit: 20) { nodes { id title upvoteCount } } }',
      variables: [{}],
    },
    {
      name: 'deep',
      words: '20 posts with author, status and 3 comments each',
      query: `{ posts(limit: 20) { nodes {
        id title author { id name } status { id name } comments(limit: 3) { nodes { id text } }
      } } }`,
      variables: [{}],
    },
  ];
}

/** The write that is measured. */
export const CREATE_POST =
  'mutation ($title: String!, $comment: String!) { createPost(title: $title, comment: $comment) { id } }';

/** The bodies of requests: the document with each of the variables. */
export function bodiesOf({ query, variables }: Pick<Operation, 'query' | 'variables'>): string[] {
  return variables.map((values) => JSON.stringify({ query, variables: values }));
}
