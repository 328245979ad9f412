/** An operation to start with, on its own tab. */
export type Example = { query: string; variables?: string };

/** The operations of the specification. `postId` is a post that exists, if one is known. */
export function makeExamples(postId: string | null): Example[] {
  return [
    {
      query: `query Board {
  board {
    id
    pid
    description
    name
  }
}
`,
    },
    {
      query: `# Registers a person, or finds the one who is registered: the first step
# to act as them with the headers ssotype and ssoid.
mutation CreateUser {
  createUser(ssotype: "SSO", userId: "1", name: "Ada") {
    id
    name
  }
}
`,
    },
    {
      query: `mutation CreatePost {
  createPost(title: "Dark mode", comment: "For long evenings.") {
    id
    title
  }
}
`,
    },
    {
      query: `${postId === null ? '# Put the id that CreatePost answers into the variables below.\n' : ''}query Post($id: String!) {
  post(id: $id) {
    id
    title
    upvoteCount
  }
}
`,
      variables: `${JSON.stringify({ id: postId ?? '' }, null, 2)}\n`,
    },
  ];
}
