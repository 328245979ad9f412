import { issueUrl } from '../support/trackers.ts';
import { byMember, type Example, unknown } from './example.ts';

/** Under headings, in the order in which they are carried out on one board. */
export const postExamples: Record<string, Example[]> = {
  Posts: [
    {
      query: `mutation ($title: String!, $comment: String, $externalId: String) {
        createPost(title: $title, comment: $comment, externalId: $externalId) { id number title url status { name } }
      }`,
      variables: { title: 'Export as PDF', comment: 'For our **board meetings**.', externalId: 'ticket-7' },
      refused: { variables: { title: '' } },
    },
    {
      query: 'query ($id: String!) { post(id: $id) { title content upvoteCount author { name } } }',
      variables: { id: '<post>' },
      refused: { variables: { id: 7 } },
    },
    {
      query: 'query ($number: Int!) { postByNumber(number: $number) { id title } }',
      variables: { number: 1 },
      refused: { variables: { number: '1' } },
    },
    {
      query: `query ($where: PostWhere) {
        posts(where: $where, sort: NEWEST, limit: 2) { nodes { id title } hasMore cursor totalCount }
      }`,
      variables: { where: { statusTypes: ['UNASSIGNED'] } },
      refused: { variables: { where: { author: {} } } },
    },
    {
      query: `query ($title: String!) {
        similarPosts(title: $title, limit: 1) { score matched post { title } }
      }`,
      variables: { title: 'A dark mode' },
      refused: { variables: { title: '' } },
    },
    {
      query: `mutation ($id: String!, $title: String) {
        updatePost(id: $id, title: $title) { node { title dateUpdated } }
      }`,
      variables: { id: '<post>', title: 'Dark mode for the editor' },
      refused: byMember,
    },
    {
      query: `mutation ($postId: String!, $statusType: StatusType!, $statusId: String) {
        changePostStatus(postId: $postId, statusType: $statusType, statusId: $statusId) { status { name } }
      }`,
      variables: { postId: '<post>', statusType: 'CUSTOM', statusId: '<status>' },
      refused: { variables: { postId: '<post>', statusType: 'CUSTOM' } },
    },
    {
      query: `mutation ($id: String!, $moderationStatus: PostModerationStatus!) {
        changePostModerationStatus(id: $id, moderationStatus: $moderationStatus) { moderationStatus moderator { name } }
      }`,
      variables: { id: '<post>', moderationStatus: 'FLAGGED' },
      refused: byMember,
    },
    {
      query: `mutation ($sourceIds: [String!]!, $targetId: String!) {
        mergePosts(sourceIds: $sourceIds, targetId: $targetId) { title mergedPosts { title } }
      }`,
      variables: { sourceIds: ['<duplicate>'], targetId: '<post>' },
      refused: { variables: { sourceIds: ['<post>'], targetId: '<post>' } },
    },
    {
      query: 'mutation ($id: String!) { unmergePost(id: $id) { title status { name } } }',
      variables: { id: '<duplicate>' },
      refused: { variables: { id: '<post>' } },
    },
    {
      query: 'mutation ($postId: String!) { deletePost(postId: $postId) { id } }',
      variables: { postId: '<duplicate>' },
      refused: { variables: { postId: unknown } },
    },
    {
      query: 'mutation ($id: String!) { restorePost(id: $id) { id title } }',
      variables: { id: '<duplicate>' },
      refused: { variables: { id: unknown } },
    },
    { query: '{ roadmap { status { name } posts(limit: 1) { nodes { title } } } }' },
  ],
  Comments: [
    {
      query: `mutation ($postId: String!, $text: String!) {
        createComment(postId: $postId, text: $text) { id text type }
      }`,
      variables: { postId: '<post>', text: 'Planned for spring.' },
      refused: { variables: { postId: '<post>', text: '' } },
    },
    {
      query: 'query ($id: String!) { comment(id: $id) { text user { name } post { title } } }',
      variables: { id: '<comment>' },
      refused: { variables: { id: null } },
    },
    {
      query: `query ($postId: String) {
        comments(postId: $postId, limit: 2) { nodes { text type isFirst } hasMore cursor }
      }`,
      variables: { postId: '<post>' },
      refused: { variables: { postId: unknown } },
    },
    {
      query: 'mutation ($id: String!, $text: String!) { updateComment(id: $id, text: $text) { text dateUpdated } }',
      variables: { id: '<comment>', text: 'My eyes hurt at night.' },
      refused: byMember,
    },
    {
      query: `mutation ($id: String!, $moderationStatus: CommentModerationStatus!) {
        changeCommentModerationStatus(id: $id, moderationStatus: $moderationStatus) { moderationStatus }
      }`,
      variables: { id: '<comment>', moderationStatus: 'PENDING' },
      refused: byMember,
    },
    {
      query: `mutation ($id: String!, $reaction: CommentReaction!) {
        addCommentReaction(id: $id, reaction: $reaction) { reactions { reaction count } viewerReactions }
      }`,
      variables: { id: '<comment>', reaction: 'HEART' },
      refused: { variables: { id: unknown, reaction: 'HEART' } },
    },
    {
      query: `mutation ($id: String!, $reaction: CommentReaction!) {
        removeCommentReaction(id: $id, reaction: $reaction) { viewerReactions }
      }`,
      variables: { id: '<comment>', reaction: 'HEART' },
      refused: { variables: { id: '<comment>', reaction: 'ANGER' } },
    },
    {
      query: 'mutation ($id: String!) { deleteComment(id: $id) { id } }',
      variables: { id: '<comment>' },
      refused: { variables: { id: unknown } },
    },
    {
      query: 'mutation ($id: String!) { restoreComment(id: $id) { text } }',
      variables: { id: '<comment>' },
      refused: byMember,
    },
  ],
  Votes: [
    {
      query: `mutation ($postId: String!, $voter: UserRef) {
        upvotePost(postId: $postId, voter: $voter) { upvoteCount }
      }`,
      variables: { postId: '<post>', voter: { ssotype: 'SSO', userId: '42' } },
      refused: byMember,
    },
    {
      query: 'mutation ($postId: String!) { downvotePost(postId: $postId) { downvoteCount viewerVote } }',
      variables: { postId: '<post>' },
      refused: { variables: { postId: unknown } },
    },
    {
      query:
        'query ($postId: String) { votes(postId: $postId, limit: 1) { nodes { type user { name } } hasMore cursor } }',
      variables: { postId: '<post>' },
      refused: { variables: { postId: unknown } },
    },
    {
      query: 'mutation ($postId: String!) { removeVote(postId: $postId) { downvoteCount viewerVote } }',
      variables: { postId: '<post>' },
      refused: { variables: { postId: unknown } },
    },
  ],
  'Followers, assignments and issues': [
    {
      query: 'mutation ($postId: String!) { subscribeToPost(postId: $postId) { isSubscribed } }',
      variables: { postId: '<post>' },
      refused: { variables: { postId: unknown } },
    },
    {
      query: 'mutation ($postId: String!) { unsubscribeFromPost(postId: $postId) { isSubscribed } }',
      variables: { postId: '<post>' },
      refused: { variables: { postId: unknown } },
    },
    {
      query: `mutation ($postId: String!, $user: UserRef!) {
        assignPost(postId: $postId, user: $user) { assignments { nodes { user { name } assignedBy { name } } } }
      }`,
      variables: { postId: '<post>', user: { ssotype: 'SSO', userId: 'ada' } },
      refused: { variables: { postId: '<post>', user: { ssotype: 'SSO', userId: 'grace' } } },
    },
    {
      query: `mutation ($postId: String!, $user: UserRef!) {
        unassignPost(postId: $postId, user: $user) { assignments { nodes { user { name } } } }
      }`,
      variables: { postId: '<post>', user: { ssotype: 'SSO', userId: 'ada' } },
      refused: byMember,
    },
    {
      query: `mutation ($postId: String!, $issue: String!) {
        linkIssue(postId: $postId, issue: $issue) { issues { nodes { id url state } } }
      }`,
      variables: { postId: '<post>', issue: issueUrl(12) },
      refused: { variables: { postId: '<post>', issue: 'https://github.com/acme/other/issues/1' } },
    },
    {
      query: 'mutation ($id: String!) { unlinkIssue(id: $id) { issues { nodes { id } } } }',
      variables: { id: '<issue>' },
      refused: { variables: { id: unknown } },
    },
  ],
};
