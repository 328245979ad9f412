/** What the tests read of an answer's fields. */
export type Fields = Record<
  string,
  { id: string; number?: number; title?: string; status?: { id: string } } | undefined
>;

export type Reply = {
  status: number;
  data: Fields | null;
  errors: { message: string; extensions: { code: string } }[];
};

/** A caller of the API over HTTP. */
export type Client = {
  /**
   * Sends an operation as the user with this external id, or without one.
   * @throws when no complete answer came
   */
  send(query: string, variables: Record<string, unknown>, as: string | null, key?: string): Promise<Reply>;
};

export function makeClient(url: string, apiKey: string): Client {
  return {
    async send(query, variables, as, idempotencyKey) {
      const response = await fetch(`${url}/api/v1/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          apikey: apiKey,
          ...(as !== null && { ssotype: 'SSO', ssoid: as }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify({ query, variables }),
      });
      const { data = null, errors = [] } = (await response.json()) as Partial<Reply>;
      return { status: response.status, data, errors };
    },
  };
}

export const CREATE_USER = 'mutation($id: String!) { createUser(ssotype: "SSO", userId: $id, name: $id) { id } }';
export const CREATE_POST = `mutation($title: String!, $text: String, $externalId: String) {
  createPost(title: $title, comment: $text, externalId: $externalId) { id number title status { id } }
}`;
export const CREATE_COMMENT =
  'mutation($postId: String!, $text: String!) { createComment(postId: $postId, text: $text) { id } }';
export const DELETE_COMMENT = 'mutation($id: String!) { deleteComment(id: $id) { id } }';
export const UPVOTE = 'mutation($postId: String!) { upvotePost(postId: $postId) { id } }';
export const REMOVE_VOTE = 'mutation($postId: String!) { removeVote(postId: $postId) { id } }';
export const DELETE_POST = 'mutation($postId: String!) { deletePost(postId: $postId) { id } }';
export const CHANGE_STATUS = `mutation($postId: String!, $type: StatusType!, $statusId: String, $text: String) {
  changePostStatus(postId: $postId, statusType: $type, statusId: $statusId, comment: $text) { id status { id } }
}`;
