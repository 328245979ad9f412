// The documents that the nodes send. A test of the repository validates each against the schema of the server.

const IDEA = `
  id number title url excerpt dateCreated dateUpdated upvoteCount commentCount isPinned isLocked expected externalId
  moderationStatus status { id name type } tags { id name } author { id name email ssoId }`;

const WHOLE_IDEA = `${IDEA} content`;

export const documents = {
  viewer: `query N8nViewer { viewer { apiKeyName permissions board { id name url } user { id name role } } }`,

  listStatuses: `query N8nStatuses { listStatuses { id name type } }`,

  listTags: `query N8nTags { listTags { id name } }`,

  searchIdeas: `query N8nSearchIdeas($search: String, $cursor: String) {
    posts(search: $search, cursor: $cursor, limit: 50) { nodes { id number title url status { name } } cursor }
  }`,

  ideaByNumber: `query N8nIdeaByNumber($number: Int!) { postByNumber(number: $number) { ${WHOLE_IDEA} } }`,

  ideaById: `query N8nIdea($id: String!) { post(id: $id) { ${WHOLE_IDEA} } }`,

  listIdeas: `query N8nIdeas(
    $limit: Int, $cursor: String, $search: String, $sort: PostSortOrder, $where: PostWhere
  ) {
    posts(limit: $limit, cursor: $cursor, search: $search, sort: $sort, where: $where) {
      nodes { ${WHOLE_IDEA} }
      cursor
    }
  }`,

  similarIdeas: `query N8nSimilarIdeas($title: String!, $text: String, $limit: Int) {
    similarPosts(title: $title, text: $text, limit: $limit) { score matched post { ${IDEA} } }
  }`,

  createIdea: `mutation N8nCreateIdea(
    $title: String!, $comment: String, $tagIds: [String!], $statusId: String, $externalId: String, $author: UserRef
  ) {
    createPost(
      title: $title, comment: $comment, tagIds: $tagIds, statusId: $statusId, externalId: $externalId, author: $author
    ) { ${WHOLE_IDEA} }
  }`,

  updateIdea: `mutation N8nUpdateIdea(
    $id: String!, $title: String, $comment: String, $expected: String, $isPinned: Boolean, $isLocked: Boolean
  ) {
    updatePost(
      id: $id, title: $title, comment: $comment, expected: $expected, isPinned: $isPinned, isLocked: $isLocked
    ) { node { ${WHOLE_IDEA} } }
  }`,

  changeTags: `mutation N8nChangeTags($id: String!, $tagIds: [String!]!) {
    updatePost(id: $id, tagIds: $tagIds) { node { ${WHOLE_IDEA} } }
  }`,

  changeStatus: `mutation N8nChangeStatus(
    $postId: String!, $statusType: StatusType!, $statusId: String, $comment: String
  ) {
    changePostStatus(postId: $postId, statusType: $statusType, statusId: $statusId, comment: $comment) { ${WHOLE_IDEA} }
  }`,

  addVote: `mutation N8nAddVote($postId: String!, $voter: UserRef) {
    upvotePost(postId: $postId, voter: $voter) { ${IDEA} }
  }`,

  createComment: `mutation N8nCreateComment($postId: String!, $text: String!, $type: CommentType, $author: UserRef) {
    createComment(postId: $postId, text: $text, type: $type, author: $author) {
      id text type dateCreated moderationStatus user { id name } post { id number title url }
    }
  }`,

  upsertUser: `mutation N8nUpsertUser(
    $ssoType: SSOTypes!, $ssoId: String!, $name: String, $email: String, $companies: [CompanyInput!], $attributes: JSON
  ) {
    createUser(
      ssoType: $ssoType, ssoId: $ssoId, name: $name, email: $email, companies: $companies, attributes: $attributes
    ) { id ssoType ssoId name email role dateCreated }
  }`,

  events: `query N8nEvents($after: String!, $types: [String!], $limit: Int!) {
    events(after: $after, types: $types, limit: $limit) {
      nodes { id type triggeredAt data post { ${IDEA} } }
      hasMore
      cursor
    }
  }`,

  endOfEvents: `query N8nEndOfEvents($types: [String!]) { events(after: "end", types: $types, limit: 1) { cursor } }`,

  recentEvents: `query N8nRecentEvents {
    posts(sort: RECENTLY_UPDATED, limit: 10) {
      nodes { events(limit: 10) { nodes { id type triggeredAt data post { ${IDEA} } } } }
    }
  }`,
} as const;
