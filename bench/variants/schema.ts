/** What the peers serve: the part of Earshot's schema that the measured operations use. */
export const typeDefs = `
  type Query {
    post(id: String!): Post
    posts(limit: Int = 20, cursor: String): PostsPayload!
  }
  type PostsPayload { nodes: [Post!]! hasMore: Boolean! cursor: String }
  type Post {
    id: String!
    title: String!
    upvoteCount: Int!
    author: User
    status: Status!
    comments(limit: Int = 20): CommentsPayload!
  }
  type User { id: String! name: String }
  type Status { id: String! name: String! }
  type CommentsPayload { nodes: [Comment!]! hasMore: Boolean! }
  type Comment { id: String! text: String! }
`;

/** Arguments of lists. */
export type PageArgs = { limit: number; cursor?: string | null };
