// Generated from the schema of the API by `npm run schema`, not edited by hand: see CONTRIBUTING.md.

/** Codes of errors of the server (`docs/errors.md`). */
export type ServerErrorCode =
  | 'UNAUTHENTICATED'
  | 'PLAN_REQUIRED'
  | 'IP_NOT_ALLOWED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'FORBIDDEN'
  | 'BAD_REQUEST'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'CURSOR_EXPIRED'
  | 'VERIFICATION_FAILED'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'QUERY_TOO_COMPLEX'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'PAYLOAD_TOO_LARGE'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR';

/** A feedback board: its settings, and what belongs to it as a whole */
export interface Board {
  __typename: 'Board';
  /** Short description shown on the pages; null if none was given */
  description: string | null;
  /** Custom domain that the pages are served from; null if there is none */
  domain: string | null;
  /** URL of the icon shown in browser tabs; null if none was uploaded */
  faviconUrl: string | null;
  /** Custom fields of the board that the viewer may see, in their order */
  fields: Field[];
  /** URL that the header of the pages links to; null if none was set */
  headerLink: string | null;
  /** Id of the board */
  id: string;
  /** Whether the board has a public roadmap */
  isRoadmapEnabled: boolean;
  /** Default language of the pages, as a BCP 47 tag such as `en` */
  locale: string;
  /** URL of the logo; null if none was uploaded */
  logoUrl: string | null;
  /** Name of the board */
  name: string;
  /** The board's name in URLs, for example `acme` in `/b/acme` */
  pid: string;
  /** Plan of the board */
  plan: Plan;
  /** Number of posts that the viewer may see */
  postCount: number;
  /** Statuses of the board, in their order */
  statuses: Status[];
  /** Tags of the board, by name */
  tags: Tag[];
  /** Members of the team, owners first; admins also see pending invitations. Empty without an acting user */
  team: TeamUser[];
  /** URL of the board page */
  url: string;
}

/** Role of a user on the board; each includes the rights of the roles before it: MEMBER, MODERATOR, ADMIN, OWNER */
export type BoardUserType =
  /** On the team: also manages statuses, fields, the team, API keys and webhooks */
  | 'ADMIN'
  /** Posts, votes, comments and follows */
  | 'MEMBER'
  /** On the team: sets statuses and tags, moderates, merges, writes internal and official comments */
  | 'MODERATOR'
  /** On the team: also appoints other owners; a board always has one */
  | 'OWNER';

/** A changelog entry: what the team has done, and the posts that it completes */
export interface ChangelogEntry {
  __typename: 'ChangelogEntry';
  /** Who wrote the entry; null once that user has been erased */
  author: User | null;
  /** When the entry was created */
  dateCreated: string;
  /** When the entry was published; null unless it is PUBLISHED */
  datePublished: string | null;
  /** When the entry will be published; null unless it is SCHEDULED */
  dateScheduled: string | null;
  /** When the entry was last edited */
  dateUpdated: string;
  /** Files of the entry, in the order of upload */
  files: File[];
  /** Id of the entry */
  id: string;
  /** What the entry is about; possibly empty */
  labels: ChangelogLabel[];
  /** Number of the entry on its board, counting from 1; part of its URL */
  number: number;
  /** Posts that the entry completes and that the viewer may see, most votes first */
  posts: ChangelogPostsPayload;
  /** Every reaction, with the number of users */
  reactions: ChangelogReactionCount[];
  /** Whether the entry is published */
  state: ChangelogState;
  /** Markdown; empty if none */
  text: string;
  /** Title, 1 to 200 characters */
  title: string;
  /** URL of the page of the entry */
  url: string;
  /** How the acting user reacted; empty without an acting user */
  viewerReactions: ChangelogReaction[];
}

/** What a changelog entry is about */
export type ChangelogLabel =
  /** Something that did not work before */
  | 'FIXED'
  /** Something that is better than before */
  | 'IMPROVED'
  /** Something new */
  | 'NEW';

/** One page of entries */
export interface ChangelogPayload {
  __typename: 'ChangelogPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The entries on this page */
  nodes: ChangelogEntry[];
}

/** One page of posts */
export interface ChangelogPostsPayload {
  __typename: 'ChangelogPostsPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The posts on this page */
  nodes: Post[];
}

/** A way to react to a changelog entry */
export type ChangelogReaction =
  /** 👀 */
  | 'EYES'
  /** ❤️ */
  | 'HEART'
  /** 🎉 */
  | 'PARTY'
  /** 👍 */
  | 'THUMBS_UP';

/** Number of users with one reaction */
export interface ChangelogReactionCount {
  __typename: 'ChangelogReactionCount';
  /** Number of users */
  count: number;
  /** The reaction */
  reaction: ChangelogReaction;
}

/** Whether a changelog entry is published */
export type ChangelogState =
  /** Visible to the team only */
  | 'DRAFT'
  /** Visible to everyone who may see the board */
  | 'PUBLISHED'
  /** Visible to the team only; published at its date */
  | 'SCHEDULED';

/** A comment on a post; the first one is the description of the post */
export interface Comment {
  __typename: 'Comment';
  /** When the comment was written */
  dateCreated: string;
  /** When the text was last changed; null if never */
  dateUpdated: string | null;
  /** Files of the comment, in the order of upload; the first comment has those of its post */
  files: File[];
  /** Id of the comment */
  id: string;
  /** Whether this is the description of the post */
  isFirst: boolean;
  /** Whether moderators have released the comment */
  moderationStatus: CommentModerationStatus;
  /** User who last moderated the comment; visible to the team */
  moderator: User | null;
  /** The comment that this one replies to; null if it is not a reply, or if that comment was deleted. Never a reply itself */
  parent: Comment | null;
  /** The post that the comment is on */
  post: Post;
  /** How users reacted; reactions that no one has used are left out */
  reactions: CommentReactionCount[];
  /** Replies to the comment, oldest first; a reply has none itself */
  replies: CommentsPayload;
  /** Text as Markdown. Users are mentioned as `[@Name](user:ID)`, which `@Name` becomes if the user is on the team or takes part in the discussion */
  text: string;
  /** Kind of the comment */
  type: CommentType;
  /** Who wrote the comment; null once that user has been erased */
  user: User | null;
  /** How the acting user reacted; empty without an acting user */
  viewerReactions: CommentReaction[];
}

/** Whether moderators have released a comment */
export type CommentModerationStatus =
  /** Visible to everyone who may see the board */
  | 'APPROVED'
  /** Visible, and marked for review */
  | 'FLAGGED'
  /** Waiting for approval: visible to the team and the author only */
  | 'PENDING'
  /** Visible to the team and the author only */
  | 'REJECTED';

/** A way to react to a comment */
export type CommentReaction =
  /** 👀 */
  | 'EYES'
  /** ❤️ */
  | 'HEART'
  /** 😂 */
  | 'LAUGH'
  /** 🎉 */
  | 'PARTY'
  /** 👍 */
  | 'THUMBS_UP';

/** How many users react to a comment in one way */
export interface CommentReactionCount {
  __typename: 'CommentReactionCount';
  /** Number of users */
  count: number;
  /** The reaction */
  reaction: CommentReaction;
}

/** Order of a list of comments */
export type CommentSortOrder =
  /** Newest first */
  | 'NEWEST'
  /** Oldest first */
  | 'OLDEST';

/** Kind of a comment. Users write BASIC, INTERNAL and OFFICIAL ones; the others are generated and describe a change */
export type CommentType =
  /** Ordinary comment */
  | 'BASIC'
  /** Note visible to the team only */
  | 'INTERNAL'
  /** Generated: the post was merged into another one */
  | 'MERGE_SOURCE'
  /** Generated: other posts were merged into this one */
  | 'MERGE_TARGET'
  /** Official answer from the team */
  | 'OFFICIAL'
  /** Generated: the status changed; has the message given with the change */
  | 'STATUS_CHANGE'
  /** Generated: the title changed */
  | 'TITLE_CHANGE';

/** One page of comments */
export interface CommentsPayload {
  __typename: 'CommentsPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The comments on this page */
  nodes: Comment[];
}

/** One page of companies */
export interface CompaniesPayload {
  __typename: 'CompaniesPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The companies on this page */
  nodes: Company[];
}

/** A company whose people are on the board; for the team */
export interface Company {
  __typename: 'Company';
  /** Further facts: texts, numbers, booleans, and dates as texts; null if there are none */
  attributes: unknown;
  /** When it was registered */
  dateCreated: string;
  /** When it was last changed */
  dateUpdated: string;
  /** Id of the company in your own system */
  externalId: string;
  /** Id of the company on this board */
  id: string;
  /** What it pays a month; null if not given */
  monthlyRevenue: number | null;
  /** Name, 1 to 100 characters */
  name: string;
  /** What it is subscribed to; null if not given */
  plan: string | null;
  /** Number of users who belong to it */
  userCount: number;
}

/** A company of a user: it is registered if it is new, and the given properties are updated */
export interface CompanyInput {
  /** Further facts: an object of texts, numbers and booleans */
  attributes?: unknown | undefined;
  /** Id of the company in your own system */
  id: string;
  /** What it pays a month */
  monthlyRevenue?: number | null | undefined;
  /** Name, 1 to 100 characters */
  name?: string | null | undefined;
  /** What it is subscribed to, at most 100 characters */
  plan?: string | null | undefined;
}

/** Order of a list of companies */
export type CompanyOrder =
  /** Last registered first */
  | 'NEWEST'
  /** Most users first */
  | 'PEOPLE'
  /** Most monthly revenue first */
  | 'REVENUE';

/** Who is behind a post; for the team */
export interface Demand {
  __typename: 'Demand';
  /** Companies that they belong to */
  companies: number;
  /** What these companies pay a month in all */
  monthlyRevenue: number;
  /** Users who upvoted it */
  people: number;
}

/** An event in the board's log, as webhooks deliver it */
export interface Event {
  __typename: 'Event';
  /** User who caused the event; null once that user has been erased, or if no user acted */
  actor: User | null;
  /** Position of the event in the log; pass it as `after` to continue from here */
  cursor: string;
  /** The `data` object of the webhook's payload */
  data: unknown;
  /** Id of the event, equal to the `webhook-id` header of its deliveries */
  id: string;
  /** The post as it is now; null if there is none, or if it is not visible */
  post: Post | null;
  /** When the event happened */
  triggeredAt: string;
  /** Type of the event, for example `post.created` */
  type: string;
}

/** One page of events */
export interface EventsPayload {
  __typename: 'EventsPayload';
  /** Pass it as `after` to continue, now or later, when there are new events */
  cursor: string | null;
  /** Whether there are more events now */
  hasMore: boolean;
  /** The events on this page */
  nodes: Event[];
}

/** A custom field of the board for posts */
export interface Field {
  __typename: 'Field';
  /** Hint for clients: whether the field may be filled in from URL parameters */
  allowUrlPrefill: boolean;
  /** Help text; null if none was given */
  description: string | null;
  /** Id of the field */
  id: string;
  /** Whether the form for new ideas on the pages asks for it, if its viewer may see the field */
  isOnForm: boolean;
  /** Whether new posts need a value, if their author may see the field */
  isRequired: boolean;
  /** Label, unique on the board */
  label: string;
  /** Hint for clients: where to show the field */
  locations: string[];
  /** Options of a selection field; empty for other types */
  options: FieldOption[];
  /** What values the field accepts */
  type: FieldType;
  /** Who sees the field and its values */
  visibility: FieldVisibility;
}

/** An option of a selection field */
export interface FieldOption {
  __typename: 'FieldOption';
  /** CSS hex color; null if none was set */
  color: string | null;
  /** Id of the option, used as the value on posts */
  id: string;
  /** Name of the option */
  name: string;
}

/** An option of a selection field. Matches an existing option by `id`, or by `name` without one; otherwise a new option is added */
export interface FieldOptionInput {
  /** CSS hex color, `#rgb` or `#rrggbb` */
  color?: string | null | undefined;
  /** 1 to 100 characters; default: a new id */
  id?: string | null | undefined;
  /** 1 to 100 characters */
  name: string;
}

/** The field after the change */
export interface FieldPayload {
  __typename: 'FieldPayload';
  /** The field */
  node: Field;
}

/** What values a field accepts */
export type FieldType =
  /** `true` or `false` */
  | 'CHECKBOX'
  /** A day, for example 2026-11-21 */
  | 'DATE'
  /** A decimal number, kept exactly */
  | 'NUMBER'
  /** One of the options */
  | 'SELECTION'
  /** Any number of the options */
  | 'SELECTION_MULTI'
  /** Text on one line, up to 500 characters */
  | 'TEXT'
  /** Text of up to 20,000 characters */
  | 'TEXT_LONG'
  /** An http or https URL of up to 2,000 characters */
  | 'URL';

/** Who sees a field and its values */
export type FieldVisibility =
  /** Everyone who may see the post */
  | 'PUBLIC'
  /** Moderators, admins and owners */
  | 'TEAM';

/** A file of a post, comment or changelog entry; upload it with POST /api/v1/files */
export interface File {
  __typename: 'File';
  /** Media type, detected from the bytes */
  contentType: string;
  /** Id of the file */
  id: string;
  /** File name */
  name: string;
  /** Size in bytes */
  size: number;
  /** URL of the file. Anyone who has it can open it while what the file belongs to is visible */
  url: string;
}

/** What an issue is in its tracker */
export type IssueState =
  /** Closed as completed, or a merged pull request */
  | 'COMPLETED'
  /** Closed without having been done */
  | 'NOT_PLANNED'
  /** Not closed yet */
  | 'OPEN';

/** How several tags combine */
export type MatchMode =
  /** Posts with all of the tags */
  | 'ALL'
  /** Posts with at least one of the tags */
  | 'ANY';

/** Mutations. The fields of a request run in order, and each can fail individually */
export interface Mutation {
  /** Reacts to an entry. Each user has each reaction once; repeating the call changes nothing */
  addChangelogReaction: ChangelogEntry | null;
  /** Reacts to a comment that a user wrote. Each user has each reaction once; repeating changes nothing */
  addCommentReaction: Comment | null;
  /** For admins. Invites people to the team by email; an invitation is valid for 7 days. Inviting an address again replaces its pending invitation */
  addTeamUser: Board | null;
  /** For moderators. Assigns a post to a member of the team */
  assignPost: Post | null;
  /** For moderators. Hides a comment or releases it; hiding emits `comment.deleted`, releasing `comment.created` */
  changeCommentModerationStatus: Comment | null;
  /** For moderators. Hides a post or releases it; hiding emits `post.deleted`, releasing `post.created` */
  changePostModerationStatus: Post | null;
  /** For moderators. Changes the status of a post */
  changePostStatus: Post | null;
  /** For admins. Changes a user's role; the role MEMBER removes them from the team */
  changeTeamUserRole: Board | null;
  /** For moderators. Adds a draft to the changelog */
  createChangelogEntry: ChangelogEntry | null;
  /** Writes a comment on a post, or a reply to a comment. On boards with approval it may be PENDING. `@Name` mentions a user, see `Comment.text` */
  createComment: Comment | null;
  /** For admins and users with isApiUser. Registers a company, or updates the given properties of the one with this id in your system and returns it */
  createCompany: Company | null;
  /** For admins. Creates a custom field after the board's last one; a board has at most 50 */
  createField: FieldPayload | null;
  /** Creates a post. If a post with the same `externalId` exists, it is returned unchanged. On boards with approval it may be PENDING */
  createPost: Post | null;
  /** For moderators. Creates a segment; names must differ by more than case */
  createSegment: Segment | null;
  /** For admins. Creates a status of type CUSTOM after the board's last one; a board has at most 50 statuses */
  createStatus: StatusPayload | null;
  /** For moderators. Creates a tag; names must differ by more than case */
  createTag: Tag | null;
  /** Registers a user by SSO type and external id, or updates and returns the existing one. Needs only the API key, no acting user */
  createUser: User | null;
  /** For moderators. Keeps a filter under a name; at most 50 for oneself, and 100 of a board are shared */
  createView: View | null;
  /** For moderators. Deletes an entry; a published one emits `changelog.unpublished`. `undo` brings it back unless it had files or reactions */
  deleteChangelogEntry: ChangelogEntry | null;
  /** Deletes a comment; `restoreComment` brings it back within 30 days. The first comment of a post is its description and cannot be deleted */
  deleteComment: Comment | null;
  /** For admins and users with isApiUser. Deletes a company; its users stay */
  deleteCompany: Company | null;
  /** For admins. Deletes a field and its values on all posts, without an event */
  deleteField: FieldPayload | null;
  /** Deletes a post. It can be restored with `restorePost` for 30 days, then it is removed permanently */
  deletePost: Post | null;
  /** For moderators. Deletes a segment; the people in it stay */
  deleteSegment: Segment | null;
  /** For admins. Deletes a CUSTOM status; its posts become UNASSIGNED, each with a `post.status.updated` event */
  deleteStatus: StatusPayload | null;
  /** For moderators. Deletes a tag and removes it from all posts, without an event for each */
  deleteTag: Tag | null;
  /** Erases a user permanently. Posts and comments remain without an author, unless `keepContent` is false */
  deleteUser: User | null;
  /** For moderators. Deletes a view of their own or a shared one */
  deleteView: View | null;
  /** Votes against a post; replaces a vote for it */
  downvotePost: Post | null;
  /** For moderators. Links a post to an issue of a connected project; see docs/trackers.md */
  linkIssue: Post | null;
  /** For moderators. Moves votes, comments and subscribers of the source posts to the target; undo with `unmergePost` */
  mergePosts: Post | null;
  /** For moderators. Publishes an entry now or at a given time; emits `changelog.published`. An already published entry is not changed */
  publishChangelogEntry: ChangelogEntry | null;
  /** For admins. Reorders the fields; those not listed keep their positions. Always returns true */
  rearrangeFields: boolean | null;
  /** For admins. Reorders the statuses; those not listed keep their positions. Always returns true */
  rearrangeStatuses: boolean | null;
  /** For moderators. Puts shared views of one list, or own ones, into this order, and returns all of that list; those not listed keep their positions */
  rearrangeViews: View[] | null;
  /** Removes a reaction */
  removeChangelogReaction: ChangelogEntry | null;
  /** Takes a reaction back */
  removeCommentReaction: Comment | null;
  /** For admins. Removes a user from the team, or cancels a pending invitation (by its `id`). Returns false if there was nothing to remove */
  removeTeamUser: boolean | null;
  /** Removes a vote */
  removeVote: Post | null;
  /** For moderators. Restores a comment that was deleted within the last 30 days */
  restoreComment: Comment | null;
  /** Restores a post that was deleted at most 30 days ago */
  restorePost: Post | null;
  /** Follows a post. Authors, voters and commenters follow automatically, until they stop */
  subscribeToPost: Post | null;
  /** For moderators. Removes an assignment */
  unassignPost: Post | null;
  /** For the team. Takes back all changes of an operation from the last 30 days, or none of them: fails with CONFLICT if something that it changed has been changed again since then. Undoing is an operation of its own */
  undo: Operation | null;
  /** For moderators. Ends the link of a post to an issue; the issue stays as it is */
  unlinkIssue: Post | null;
  /** For moderators. Undoes a merge: the post gets its votes, comments, subscribers and status back */
  unmergePost: Post | null;
  /** For moderators. Turns a published or scheduled entry back into a draft; a published one emits `changelog.unpublished` */
  unpublishChangelogEntry: ChangelogEntry | null;
  /** Stops following a post; only `subscribeToPost` starts it again */
  unsubscribeFromPost: Post | null;
  /** For moderators. Updates the given parts of an entry, published or not */
  updateChangelogEntry: ChangelogEntry | null;
  /** Changes the text of a comment; for the first comment, that is the description of the post */
  updateComment: Comment | null;
  /** For admins and users with isApiUser. Updates the given properties of a company */
  updateCompany: Company | null;
  /** For admins. Updates the given properties of a field */
  updateField: FieldPayload | null;
  /** Updates the given parts of a post. Authors may change title, description and public fields; moderators may also change `tagIds`, `isLocked`, `isPinned` and `expected` */
  updatePost: UpdatePostPayload | null;
  /** For moderators. Updates the given properties of a segment */
  updateSegment: Segment | null;
  /** For admins. Updates the given properties of a status, built-in ones included */
  updateStatus: StatusPayload | null;
  /** For moderators. Updates the given properties of a tag */
  updateTag: Tag | null;
  /** Updates the given profile fields and leaves the others unchanged. Users may change their own profile; admins and users with isApiUser also others */
  updateUser: User | null;
  /** For moderators. Updates the given properties of a view of their own or of a shared one */
  updateView: View | null;
  /** Votes for a post. Each user has one vote; repeating the call changes nothing */
  upvotePost: Post | null;
}

/** What the team changed with one request, or one form of the pages */
export interface Operation {
  __typename: 'Operation';
  /** User who did it; null once that user has been erased */
  actor: User | null;
  /** What it changed, in the order of the changes */
  changes: OperationChange[];
  /** When it was done */
  dateCreated: string;
  /** When it was undone */
  dateUndone: string | null;
  /** Id, as in the header `Earshot-Operation-Id` of the response */
  id: string;
  /** Whether the acting user can undo it, unless what it changed has been changed again since then */
  isUndoable: boolean;
  /** User who undid it */
  undoneBy: User | null;
  /** Name of the API key with which an agent did it over MCP, or of the chat that a comment came from; null for everything else */
  via: string | null;
}

/** What an operation changed about one thing */
export interface OperationChange {
  __typename: 'OperationChange';
  /** The same properties as they became */
  after: unknown;
  /** The properties that were changed, as they were before */
  before: unknown;
  /** The post that it is or belongs to; null if there is none, or if it is deleted */
  post: Post | null;
  /** What kind of thing it is */
  thing: OperationThing;
  /** Id of the thing; for STATUS_ORDER, FIELD_ORDER and BOARD that of the board */
  thingId: string;
}

/** What an operation of the team changed */
export type OperationThing =
  /** Settings of the board */
  | 'BOARD'
  /** An entry of the changelog */
  | 'CHANGELOG_ENTRY'
  /** A comment */
  | 'COMMENT'
  /** A company */
  | 'COMPANY'
  /** A field of the board */
  | 'FIELD'
  /** The order of the fields */
  | 'FIELD_ORDER'
  /** A view that its owner keeps for themselves; no one else sees the change */
  | 'OWN_VIEW'
  /** A post */
  | 'POST'
  /** A segment */
  | 'SEGMENT'
  /** A status of the board */
  | 'STATUS'
  /** The order of the statuses */
  | 'STATUS_ORDER'
  /** A tag of the board */
  | 'TAG'
  /** The role or the standing of a user */
  | 'USER'
  /** A view that the team shares */
  | 'VIEW';

/** One page of operations */
export interface OperationsPayload {
  __typename: 'OperationsPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The operations on this page */
  nodes: Operation[];
}

/** What an API key may do */
export type Permission =
  /** Run queries and exports, and follow events */
  | 'READ'
  /** Manage webhooks at `/api/v1/webhooks` */
  | 'WEBHOOKS'
  /** Run mutations and upload files */
  | 'WRITE';

/** Plan of the board; it decides whether the API is available */
export type Plan =
  /** With API access */
  | 'ENTERPRISE'
  /** No API access */
  | 'FREE'
  /** With API access */
  | 'PRO';

/** A post on the board (an "idea" on the pages): a suggestion with its votes and comments */
export interface Post {
  __typename: 'Post';
  /** Members of the team who are responsible for the post; visible to the team, empty for everyone else */
  assignments: PostAssignmentsPayload;
  /** Who wrote the post; null once that user has been erased */
  author: User | null;
  /** The board that the post is on */
  board: Board;
  /** Published changelog entries that link the post, newest first */
  changelogEntries: ChangelogPayload;
  /** Number of comments that users wrote, without the description. The team also counts internal comments and those awaiting moderation */
  commentCount: number;
  /** Comments on the post, including its description */
  comments: PostCommentsPayload;
  /** Description of the post as Markdown: the text of its first comment; null without one */
  content: string | null;
  /** When the post reached its status of type COMPLETED; null if it has another status */
  dateCompleted: string | null;
  /** When the post was created */
  dateCreated: string;
  /** When the post, its status, tags, fields or counters last changed */
  dateUpdated: string;
  /** People, companies and revenue behind the post; null for members without isApiUser */
  demand: Demand | null;
  /** Number of votes against the post */
  downvoteCount: number;
  /** Events about the post, oldest first */
  events: EventsPayload;
  /** Beginning of the description as plain text on one line; null without a description */
  excerpt: string | null;
  /** When the team expects it: a quarter such as `2026-Q3`, or a month such as `2026-09`; null if not given */
  expected: string | null;
  /** Id of the post in your own system; null if none was given */
  externalId: string | null;
  /** Files of the post, in the order of upload */
  files: File[];
  /** Id of the post */
  id: string;
  /** Whether votes and comments are closed */
  isLocked: boolean;
  /** Whether the post is shown first on the board page */
  isPinned: boolean;
  /** Whether the post is part of the sample data of a new board */
  isSample: boolean;
  /** Whether the acting user follows the post */
  isSubscribed: boolean;
  /** Issues of the team's trackers that the post is linked to; visible to the team, empty for everyone else */
  issues: PostIssuesPayload;
  /** The post that this one was merged into; if that one was merged too, the last in the chain. Null if not merged */
  mergedInto: Post | null;
  /** Posts merged into this one, directly or through others */
  mergedPosts: Post[];
  /** Id of the user who last moderated the post; visible to the team @deprecated Use `moderator { id }` */
  moderatedBy: string | null;
  /** Whether moderators have released the post */
  moderationStatus: PostModerationStatus;
  /** User who last moderated the post; visible to the team */
  moderator: User | null;
  /** Number of the post on its board, counting from 1; part of its URL */
  number: number;
  /** The post's number as a string @deprecated Use `number` */
  pid: string;
  /** Values of the fields that the viewer may see; fields without a value are omitted */
  properties: PostProperty[];
  /** Posts that resemble this one, best match first; may be requested for at most 10 posts of a list */
  similar: SimilarPost[];
  /** The current status */
  status: Status;
  /** Id of the status */
  statusId: string | null;
  /** Users who follow the post; visible to the team, other users see only themselves */
  subscribers: UsersPayload;
  /** Tags of the post, by name */
  tags: Tag[];
  /** Title, 1 to 200 characters */
  title: string;
  /** How many of `upvoteCount` came with an import as a number, without the users who voted */
  unattributedUpvoteCount: number;
  /** Number of votes for the post */
  upvoteCount: number;
  /** URL of the page of the post */
  url: string;
  /** Same as `author` @deprecated Use `author` */
  user: User | null;
  /** How the acting user voted; null if they did not, or without an acting user */
  viewerVote: VoteType | null;
  /** Votes on the post, oldest first */
  votes: PostVotesPayload;
}

/** A post assigned to a member of the team */
export interface PostAssignment {
  __typename: 'PostAssignment';
  /** User who assigned it; null once that user has been erased */
  assignedBy: User | null;
  /** When it was assigned */
  dateCreated: string;
  /** Member of the team who is responsible for the post */
  user: User;
}

/** One page of assignments */
export interface PostAssignmentsPayload {
  __typename: 'PostAssignmentsPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The assignments on this page */
  nodes: PostAssignment[];
}

/** One page of the comments on a post */
export interface PostCommentsPayload {
  __typename: 'PostCommentsPayload';
  /** Page size that was used */
  chunkSize: number;
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The comments on this page */
  nodes: Comment[];
}

/** One condition on posts. Filters on the same status or field are combined with OR, on different ones with AND */
export interface PostFilter {
  /** With FIELD: `true` for posts without a value */
  empty?: string | null | undefined;
  /** With STATUS: id or type of a status; with FIELD: the value */
  is?: string | null | undefined;
  /** With FIELD: label of the field */
  label?: string | null | undefined;
  /** What to compare */
  type: PostFilterType;
}

/** What a filter compares */
export type PostFilterType =
  /** The value of a field of the board */
  | 'FIELD'
  /** The status */
  | 'STATUS';

/** An issue of the team's tracker that a post is linked to */
export interface PostIssue {
  __typename: 'PostIssue';
  /** User who linked it; null once that user has been erased */
  addedBy: User | null;
  /** When it was linked */
  dateCreated: string;
  /** Id of the link */
  id: string;
  /** The release that was published with it, if any */
  release: string | null;
  /** State of the issue; null until it was read */
  state: IssueState | null;
  /** Title of the issue; null until it was read */
  title: string | null;
  /** URL of the issue; null while it is being created */
  url: string | null;
}

/** One page of issues */
export interface PostIssuesPayload {
  __typename: 'PostIssuesPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The issues on this page */
  nodes: PostIssue[];
}

/** Whether moderators have released a post */
export type PostModerationStatus =
  /** Visible to everyone who may see the board */
  | 'APPROVED'
  /** Visible, and marked for review */
  | 'FLAGGED'
  /** Waiting for approval: visible to the team and the author only */
  | 'PENDING'
  /** Visible to the team and the author only */
  | 'REJECTED';

/** Value of a field on a post */
export interface PostProperty {
  __typename: 'PostProperty';
  /** The field */
  field: Field | null;
  /** Id of the property, composed of the ids of post and field */
  id: string;
  /** Id of the field */
  parent: string;
  /** Type of the field */
  type: FieldType;
  /** One or more values; options by id */
  values: string[];
}

/** Value of a field on a post; an empty list of values clears it */
export interface PostPropertyInput {
  /** Id of the field */
  parent: string;
  /** The value as text; options by id or name. One value, several only with SELECTION_MULTI */
  values: (string | null)[];
}

/** Order of a list of posts */
export type PostSortOrder =
  /** Last completed first; only completed posts */
  | 'COMPLETED'
  /** Most comments first */
  | 'MOST_COMMENTED'
  /** Most companies behind it first */
  | 'MOST_COMPANIES'
  /** Most people behind it first, of the 1,000 most upvoted; this and the next two are for the team */
  | 'MOST_PEOPLE'
  /** Most monthly revenue behind it first */
  | 'MOST_REVENUE'
  /** Newest first */
  | 'NEWEST'
  /** Oldest first */
  | 'OLDEST'
  /** Last changed first */
  | 'RECENTLY_UPDATED'
  /** Best match first; only with a search */
  | 'RELEVANCE'
  /** Most votes first */
  | 'TOP'
  /** Order of magnitude of the votes, newer posts first among equals */
  | 'TRENDING';

/** Who may see the posts in a status */
export type PostVisibility =
  /** Admins and owners */
  | 'HIDDEN'
  /** Everyone who may see the board */
  | 'PUBLIC'
  /** Moderators, admins and owners */
  | 'TEAM';

/** One page of votes */
export interface PostVotesPayload {
  __typename: 'PostVotesPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The votes on this page */
  nodes: Vote[];
}

/** Conditions on posts, combined with AND; an empty list is ignored */
export interface PostWhere {
  /** Posts assigned to this user; for moderators */
  assignedTo?: UserRef | null | undefined;
  /** Posts by this user */
  author?: UserRef | null | undefined;
  /** Created at or after this instant */
  createdAfter?: string | Date | null | undefined;
  /** Created before this instant */
  createdBefore?: string | Date | null | undefined;
  /** The post with this id in your system */
  externalId?: string | null | undefined;
  /** Posts with at least this number of upvotes */
  minUpvotes?: number | null | undefined;
  /** Posts with one of these moderation statuses */
  moderationStatus?: PostModerationStatus[] | null | undefined;
  /** The post with this number */
  number?: number | null | undefined;
  /** Posts in one of the statuses with these ids */
  statusIds?: string[] | null | undefined;
  /** Posts in a status of one of these types */
  statusTypes?: StatusType[] | null | undefined;
  /** Posts with these tags, combined by `tagMode` */
  tagIds?: string[] | null | undefined;
  /** Whether one of the tags is enough (ANY, the default) or all are needed (ALL) */
  tagMode?: MatchMode | null | undefined;
  /** Updated at or after this instant */
  updatedAfter?: string | Date | null | undefined;
  /** Posts that this user voted on */
  votedBy?: UserRef | null | undefined;
}

/** One page of posts */
export interface PostsPayload {
  __typename: 'PostsPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The posts on this page */
  nodes: Post[];
  /** Number of posts in the whole list that the viewer may see; counted only up to 10,000 with a search or with conditions other than status */
  totalCount: number;
}

/** Queries. Without an acting user, only board, viewer, rateLimit, listStatuses, listTags and listFields are allowed */
export interface Query {
  /** The board that the API key belongs to */
  board: Board;
  /** Entries of the changelog, newest first */
  changelog: ChangelogPayload;
  /** The changelog entry with this id or number; null if there is none that the viewer may see. Give one of the two */
  changelogEntry: ChangelogEntry | null;
  /** The comment with this id; null if there is none that the viewer may see */
  comment: Comment | null;
  /** Comments on one post or on all posts, including descriptions */
  comments: CommentsPayload;
  /** Companies of the board, page by page; none for members without isApiUser */
  companies: CompaniesPayload;
  /** The company with this id in your system; null if there is none, and for members without isApiUser */
  company: Company | null;
  /** The board's append-only event log in commit order; webhooks are fed from the same rows. No event is skipped: if events after the cursor are no longer kept, the error is CURSOR_EXPIRED. Events of posts and comments that the viewer may not see are left out */
  events: EventsPayload;
  /** The field with this id; null if there is none that the viewer may see */
  field: Field | null;
  /** All custom fields that the viewer may see, in their order */
  listFields: Field[];
  /** All statuses of the board, in their order */
  listStatuses: Status[];
  /** All tags that the viewer may see, by name */
  listTags: Tag[];
  /** What the team changed in the last 30 days, the newest first; empty for others. Changes of posts that are not visible are left out */
  operations: OperationsPayload;
  /** The post with this id; null if there is none that the viewer may see */
  post: Post | null;
  /** The post with this number, as in its URL /b/<pid>/posts/<number>/…; null if there is none that the viewer may see */
  postByNumber: Post | null;
  /** Posts that the viewer may see, page by page */
  posts: PostsPayload;
  /** The remaining requests under each rate limit of the API key */
  rateLimit: RateLimit;
  /** The statuses with `isOnRoadmap` in their order, each with its posts; empty if the roadmap is turned off */
  roadmap: RoadmapColumn[];
  /** The segments of the board, by name; none for members without isApiUser */
  segments: Segment[];
  /** Posts whose title or text resembles the given one, best match first, in any language */
  similarPosts: SimilarPost[];
  /** The status with this id; null if there is none */
  status: Status | null;
  /** The tag with this id; null if there is none that the viewer may see */
  tag: Tag | null;
  /** The user with this id in your system. Fails with NOT_FOUND if there is none */
  user: User | null;
  /** Up to 100 users in the order of registration. Use `usersPage` to page through all of them */
  users: User[];
  /** All users, page by page, in the order of registration, or of change with `since` */
  usersPage: UsersPayload;
  /** The API key of the request, and the acting user */
  viewer: Viewer;
  /** The shared views in their order, and then the viewer's own, at most 150; empty for users outside the team */
  views: View[];
  /** Votes on one post, by one user, or all, oldest first */
  votes: VotesPayload;
}

/** Rate limits of the API key */
export interface RateLimit {
  __typename: 'RateLimit';
  /** One entry for each limit; empty if the key has none */
  windows: RateWindow[];
}

/** One rate limit of the API key */
export interface RateWindow {
  __typename: 'RateWindow';
  /** Maximum number of requests in the window */
  limit: number;
  /** Number of requests left in the current window */
  remaining: number;
  /** When the current window ends */
  resetAt: string;
  /** Length of the window in seconds */
  seconds: number;
}

/** One column of the roadmap: a status and its posts */
export interface RoadmapColumn {
  __typename: 'RoadmapColumn';
  /** Posts in the status, most votes first */
  posts: StatusPostsPayload;
  /** The status */
  status: Status;
}

/** A saved filter over the attributes of users and of their companies; for the team */
export interface Segment {
  __typename: 'Segment';
  /** Conditions on people, 1 to 10 */
  conditions: SegmentCondition[];
  /** Id of the segment */
  id: string;
  /** How the conditions combine */
  match: SegmentMatch;
  /** Name, 1 to 60 characters */
  name: string;
  /** Number of people in it; users with isApiUser are not counted */
  userCount: number;
}

/** How a condition compares. Upper and lower case of the letters A to Z are the same */
export type SegmentComparison =
  /** It is a number, and at least the value */
  | 'AT_LEAST'
  /** It is a number, and at most the value */
  | 'AT_MOST'
  /** It is before the day of the value */
  | 'BEFORE'
  /** It contains one of the values */
  | 'CONTAINS'
  /** It is one of the values */
  | 'IS'
  /** It is none of the values, or missing */
  | 'IS_NOT'
  /** There is none */
  | 'IS_NOT_SET'
  /** There is one */
  | 'IS_SET'
  /** It is on the day of the value or later, such as 2027-01-31, by UTC */
  | 'SINCE';

/** One condition on people */
export interface SegmentCondition {
  __typename: 'SegmentCondition';
  /** Name of the attribute */
  attribute: string;
  /** How */
  comparison: SegmentComparison;
  /** Whose attribute is compared */
  of: SegmentSubject;
  /** With what; empty for IS_SET and IS_NOT_SET */
  values: string[];
}

/** One condition on people */
export interface SegmentConditionInput {
  /** Name of the attribute, 1 to 100 characters */
  attribute: string;
  /** How */
  comparison: SegmentComparison;
  /** Whose attribute is compared */
  of: SegmentSubject;
  /** With what: 1 to 50 texts; none for IS_SET and IS_NOT_SET */
  values?: string[] | null | undefined;
}

/** How several conditions combine. Those on companies must be met by one and the same company */
export type SegmentMatch =
  /** All of them must be met */
  | 'ALL'
  /** One is enough */
  | 'ANY';

/** Whose attribute a condition compares */
export type SegmentSubject =
  /** That of a company of theirs: an attribute, or `id`, `name`, `plan`, `monthlyRevenue`, `dateCreated` */
  | 'COMPANY'
  /** That of the user: an attribute, or `name`, `email`, `dateCreated` */
  | 'USER';

/** A post that resembles a given text */
export interface SimilarPost {
  __typename: 'SimilarPost';
  /** Words, or parts of words, that both have in common; meant for display */
  matched: string[];
  /** The similar post */
  post: Post;
  /** Similarity from 0 to 1, where 1 is the same text */
  score: number;
}

/** A status that posts can have */
export interface Status {
  __typename: 'Status';
  /** CSS hex color */
  color: string;
  /** Id of the status */
  id: string;
  /** Whether it is a column of the roadmap */
  isOnRoadmap: boolean;
  /** Name, 1 to 50 characters */
  name: string;
  /** Position among the statuses of the board, counting from 0 */
  position: number;
  /** Who may see the posts in the status */
  postVisibility: PostVisibility;
  /** Posts in the status, newest first */
  posts: StatusPostsPayload;
  /** Built-in type, or CUSTOM */
  type: StatusType;
}

/** The status after the change; its fields are also available at the top level for existing clients */
export interface StatusPayload {
  __typename: 'StatusPayload';
  /** Same as `node { color }` @deprecated Use `node { color }` */
  color: string;
  /** Same as `node { id }` @deprecated Use `node { id }` */
  id: string;
  /** Same as `node { name }` @deprecated Use `node { name }` */
  name: string;
  /** The status */
  node: Status;
  /** Same as `node { postVisibility }` @deprecated Use `node { postVisibility }` */
  postVisibility: PostVisibility;
  /** Same as `node { type }` @deprecated Use `node { type }` */
  type: StatusType;
}

/** One page of posts */
export interface StatusPostsPayload {
  __typename: 'StatusPostsPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The posts on this page */
  nodes: Post[];
}

/** Type of a status. Each board has exactly one status of each built-in type, and any number of CUSTOM ones */
export type StatusType =
  /** Built-in: will not be done, or is no longer relevant */
  | 'ARCHIVED'
  /** Built-in: done */
  | 'COMPLETED'
  /** A step of the board's own, such as Planned */
  | 'CUSTOM'
  /** Built-in: merged into another post */
  | 'MERGED'
  /** Built-in: new posts, not yet assessed */
  | 'UNASSIGNED';

/** A label for posts */
export interface Tag {
  __typename: 'Tag';
  /** CSS hex color; null if none was set */
  color: string | null;
  /** Id of the tag */
  id: string;
  /** Whether only the team sees the tag */
  isPrivate: boolean;
  /** Name, 1 to 50 characters */
  name: string;
  /** Number of posts with the tag that the viewer may see */
  postCount: number;
}

/** A member of the team, or a pending invitation to it */
export interface TeamUser {
  __typename: 'TeamUser';
  /** Address that the invitation was sent to; visible to admins, null for users who joined */
  email: string | null;
  /** Id of the user, or of the invitation while it is pending */
  id: string;
  /** Whether this is an invitation that has not been accepted yet */
  isInvitationPending: boolean;
  /** Role of the user, or the one that the invitation offers */
  role: BoardUserType;
  /** Id of the user in your own system; null for invitations and for people who joined on the pages */
  ssoId: string | null;
  /** The user; null while the invitation is pending */
  user: User | null;
}

/** The updated post */
export interface UpdatePostPayload {
  __typename: 'UpdatePostPayload';
  /** The description of the post, as its first comment; null without one */
  comment: Comment | null;
  /** The post after the change */
  node: Post;
}

/** A person on the board: a registered user of your product, or someone who joined on the pages */
export interface User {
  __typename: 'User';
  /** JSON object that your system stored with the user; null if none was given */
  attributes: unknown;
  /** Short text about the user; null if none was given */
  bio: string | null;
  /** Comments by the user, newest first, without descriptions of posts */
  comments: CommentsPayload;
  /** Companies of the user, by name; visible to moderators and to users with isApiUser, empty for others */
  companies: Company[];
  /** When the user was registered */
  dateCreated: string;
  /** Visible to the user, to moderators and to users with isApiUser; null to everyone else */
  email: string | null;
  /** Whether the user wants an email when mentioned */
  emailOnMention: boolean;
  /** Id of the user on this board; use it where an argument accepts a user's `id` */
  id: string;
  /** URL of the profile picture; null if none was given */
  image: string | null;
  /** Whether the user is an integration: it may act for other users and set dates in the past */
  isAPIUser: boolean;
  /** Whether the user was registered through single sign-on */
  isSsoUser: boolean;
  /** Display name; null if none was given */
  name: string | null;
  /** Posts by the user, newest first */
  posts: PostsPayload;
  /** What the user may do on the board */
  role: BoardUserType;
  /** Id of the user in your own system; null for people who joined on the pages */
  ssoId: string | null;
  /** Single sign-on integration that `ssoId` belongs to; null without `ssoId` */
  ssoType: string | null;
  /** Votes of the user, oldest first */
  votes: VotesPayload;
}

/** Identifies a user. Give exactly one of: `id`, `ssotype` with `userId`, or `email` */
export interface UserRef {
  /** Email address of the user */
  email?: string | null | undefined;
  /** The user's `id` on the board */
  id?: string | null | undefined;
  /** Single sign-on integration that `userId` belongs to */
  ssotype?: string | null | undefined;
  /** Id of the user in your own system */
  userId?: string | null | undefined;
}

/** One page of users */
export interface UsersPayload {
  __typename: 'UsersPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The users on this page */
  nodes: User[];
  /** Number of users in the whole list that the viewer may see; counted only up to 10,000 */
  totalCount: number;
}

/** A filter of a list of the team, kept under a name */
export interface View {
  __typename: 'View';
  /** The filter, as it works for the viewer now */
  conditions: ViewCondition[];
  /** Number of ideas or users in it that the viewer may see; 1001 for more than 1000 */
  count: number;
  /** When it was made */
  dateCreated: string;
  /** When it was last changed */
  dateUpdated: string;
  /** Id of the view */
  id: string;
  /** Whether the whole team sees it; otherwise only its owner */
  isShared: boolean;
  /** The list */
  kind: ViewKind;
  /** What the filter does without, and why */
  leftOut: ViewLeftOut[];
  /** Name, 1 to 60 characters; in its list no other view has it */
  name: string;
  /** User who made it; null once that user has been erased */
  owner: User | null;
}

/** One condition of a view */
export interface ViewCondition {
  __typename: 'ViewCondition';
  /** What is compared */
  parameter: ViewParameter;
  /** With what; one of the values is enough */
  values: string[];
}

/** One condition of a view; several are combined with AND */
export interface ViewConditionInput {
  /** What to compare */
  parameter: ViewParameter;
  /** With what; one of the values is enough */
  values: string[];
}

/** Which list a view filters */
export type ViewKind =
  /** The board's list of ideas */
  | 'IDEAS'
  /** The list of users */
  | 'PEOPLE'
  /** A list of triage */
  | 'TRIAGE';

/** A value that a view does without */
export interface ViewLeftOut {
  __typename: 'ViewLeftOut';
  /** Name of the parameter */
  parameter: string;
  /** Why */
  reason: ViewLeftOutReason;
  /** The value, such as the id of a tag that was deleted */
  value: string;
}

/** Why a view does without a value of its filter */
export type ViewLeftOutReason =
  /** It names something that no longer exists, or that the viewer may not see */
  | 'GONE'
  /** This version of the server, or this list, has no such parameter */
  | 'UNKNOWN';

/** What a view filters by */
export type ViewParameter =
  /** With PEOPLE: number of days: users who were active within them */
  | 'ACTIVE'
  /** With PEOPLE: id of a segment: users in it */
  | 'AMONG'
  /** `me` for ideas assigned to the viewer, `none` for those assigned to no one */
  | 'ASSIGNEE'
  /** With IDEAS: the order by who is behind them, people, companies, revenue; of the segment if there is one */
  | 'BY'
  /** With PEOPLE: id of a company: users who belong to it */
  | 'COMPANY'
  /** Values of fields, as `<id of the field>:<id of the option>`, or `<id>:true`: ideas with one of them in each of these fields */
  | 'FIELD'
  /** With TRIAGE: the list, one of unanswered, mine, issues, no-status, most-asked, snoozed; default: unanswered */
  | 'LIST'
  /** Number of days: ideas created within them */
  | 'NEWER'
  /** With PEOPLE: `yes` for users who follow the changelog */
  | 'NEWSLETTER'
  /** Number of days: ideas created before them */
  | 'OLDER'
  /** With PEOPLE: roles, of MEMBER, MODERATOR, ADMIN, OWNER */
  | 'ROLE'
  /** Id of a segment: ideas that people in it voted for */
  | 'SEGMENT'
  /** With IDEAS: `all` for completed and archived ideas, too */
  | 'SHOW'
  /** With IDEAS: the order, one of trending, top, new, mine; default: trending; mine: only those of the viewer */
  | 'SORT'
  /** With PEOPLE: TRUSTED, BLOCKED or both */
  | 'STANDING'
  /** Ids of statuses: ideas in one of them */
  | 'STATUS'
  /** Ids of tags: ideas with one of them */
  | 'TAG'
  /** With PEOPLE: `ever` for users who have voted, `never` for others */
  | 'VOTED'
  /** Number of votes: ideas with at least as many */
  | 'VOTES'
  /** With PEOPLE: number of days: users who voted within them */
  | 'VOTING'
  /** `yes` for ideas that wait for an answer of the team */
  | 'WAITING';

/** The API key of the request, and the user it acts for */
export interface Viewer {
  __typename: 'Viewer';
  /** Name of the API key */
  apiKeyName: string;
  /** The board of the API key */
  board: Board;
  /** What the API key may do */
  permissions: Permission[];
  /** The acting user; null if there are neither user headers nor a default user */
  user: User | null;
}

/** One vote of a user on a post */
export interface Vote {
  __typename: 'Vote';
  /** User who voted on behalf of `user`; null if they voted themselves */
  addedBy: User | null;
  /** When the vote was cast or changed */
  dateCreated: string;
  /** Id of the vote */
  id: string;
  /** The post that was voted on */
  post: Post;
  /** Direction of the vote */
  type: VoteType;
  /** Who voted; null once that user has been erased */
  user: User | null;
}

/** Direction of a vote */
export type VoteType =
  /** Against the post */
  | 'DOWN'
  /** For the post */
  | 'UP';

/** One page of votes */
export interface VotesPayload {
  __typename: 'VotesPayload';
  /** Pass it as `cursor` to get the next page; null on the last one */
  cursor: string | null;
  /** Whether there is another page */
  hasMore: boolean;
  /** The votes on this page */
  nodes: Vote[];
}

/** Arguments of fields, by type and field. */
export interface Arguments {
  ChangelogEntry: {
    posts: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
  };
  Comment: {
    replies: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
  };
  Mutation: {
    addChangelogReaction: {
      /** Id of the entry */
      id: string;
      /** The reaction */
      reaction: ChangelogReaction;
    };
    addCommentReaction: {
      /** Id of the comment */
      id: string;
      /** The reaction */
      reaction: CommentReaction;
    };
    addTeamUser: {
      /** 1 to 20 email addresses */
      emails: string[];
      /** Role to offer: MODERATOR, ADMIN or OWNER, not above your own */
      type: BoardUserType;
    };
    assignPost: {
      /** Id of the post */
      postId: string;
      /** Member of the team */
      user: UserRef;
    };
    changeCommentModerationStatus: {
      /** Id of the comment */
      id: string;
      /** New moderation status */
      moderationStatus: CommentModerationStatus;
    };
    changePostModerationStatus: {
      /** Id of the post */
      id: string;
      /** New moderation status */
      moderationStatus: PostModerationStatus;
    };
    changePostStatus: {
      /** Message to post with the change; default: a generated description of the change */
      comment?: string | null | undefined;
      /** Id of the post */
      postId: string;
      /** Id of the new status; required with type CUSTOM, not allowed otherwise */
      statusId?: string | null | undefined;
      /** Type of the new status */
      statusType: StatusType;
    };
    changeTeamUserRole: {
      /** New role, not above your own */
      role: BoardUserType;
      /** Id of the user in your own system; for users without one, their `id` */
      ssoId: string;
      /** Single sign-on integration that `ssoId` belongs to; default: that of the acting user */
      ssoType?: string | null | undefined;
    };
    createChangelogEntry: {
      /** Ids of at most 10 uploaded files of the acting user */
      files?: (string | null)[] | null | undefined;
      /** What the entry is about */
      labels?: ChangelogLabel[] | null | undefined;
      /** At most 50 posts that the entry completes; no merged ones */
      postIds?: string[] | null | undefined;
      /** Markdown of up to 20,000 characters */
      text?: string | null | undefined;
      /** 1 to 200 characters */
      title: string;
    };
    createComment: {
      /** User to act on behalf of; for admins and users with isApiUser */
      author?: UserRef | null | undefined;
      /** Date in the past, for imports; for admins and users with isApiUser. With it, only users named by the notify arguments are notified */
      dateCreated?: string | Date | null | undefined;
      /** Ids of at most 10 uploaded files of the acting user; a file belongs to one post or comment */
      files?: (string | null)[] | null | undefined;
      /** Whether to notify users who commented. Default: true */
      notifyCommenters?: boolean | null | undefined;
      /** Whether to notify users who downvoted the post. Default: true for type OFFICIAL, else false */
      notifyDownVoters?: boolean | null | undefined;
      /** Whether to notify the author of the post. Default: true */
      notifyOP?: boolean | null | undefined;
      /** Whether to notify users who chose to follow the post. Default: true */
      notifySubscribers?: boolean | null | undefined;
      /** Whether to notify users who upvoted the post. Default: true for type OFFICIAL, else false */
      notifyUpVoters?: boolean | null | undefined;
      /** Id of the comment on the same post to reply to; a reply to a reply joins the top-level comment */
      parentId?: string | null | undefined;
      /** Id of the post */
      postId: string;
      /** Markdown of 1 to 20,000 characters */
      text: string;
      /** BASIC (default); moderators may also write INTERNAL and OFFICIAL */
      type?: CommentType | null | undefined;
    };
    createCompany: {
      /** Replaces all: an object of at most 50 texts, numbers and booleans; dates are texts such as 2027-01-31 */
      attributes?: unknown | undefined;
      /** Id of the company in your own system, 1 to 255 characters */
      externalId: string;
      /** What it pays a month; null removes it */
      monthlyRevenue?: number | null | undefined;
      /** 1 to 100 characters; of a new company the default is its external id */
      name?: string | null | undefined;
      /** What it is subscribed to, at most 100 characters; null removes it */
      plan?: string | null | undefined;
    };
    createField: {
      /** Hint for clients; default: false */
      allowUrlPrefill?: boolean | null | undefined;
      /** The key's own board, by `id` or `pid` */
      boardId: string;
      /** Help text, at most 1,000 characters */
      description?: string | null | undefined;
      /** A UUID of your choice; default: a new one */
      id?: string | null | undefined;
      /** Whether the form for new ideas on the pages asks for it; default: false */
      isOnForm?: boolean | null | undefined;
      /** Whether new posts need a value; default: false */
      isRequired?: boolean | null | undefined;
      /** 1 to 100 characters; labels must differ by more than case */
      label: string;
      /** Hint for clients: at most 20 texts of 1 to 100 characters */
      locations?: string[] | null | undefined;
      /** 1 to 100 options; required for SELECTION and SELECTION_MULTI */
      options?: (FieldOptionInput | null)[] | null | undefined;
      /** What values the field accepts */
      type: FieldType;
      /** Default: PUBLIC */
      visibility?: FieldVisibility | null | undefined;
    };
    createPost: {
      /** User to act on behalf of; for admins and users with isApiUser */
      author?: UserRef | null | undefined;
      /** Description: Markdown of up to 20,000 characters */
      comment?: string | null | undefined;
      /** Date in the past, for imports; for admins and users with isApiUser */
      dateCreated?: string | Date | null | undefined;
      /** Id of the post in your own system; makes a repeated call safe */
      externalId?: string | null | undefined;
      /** Ids of at most 10 uploaded files of the acting user; a file belongs to one post or comment */
      files?: (string | null)[] | null | undefined;
      /** Values for fields of the board; fields that are required and visible to the viewer must have one */
      properties?: (PostPropertyInput | null)[] | null | undefined;
      /** For moderators; default: the status of type UNASSIGNED */
      statusId?: string | null | undefined;
      /** At most 50 tags; private ones only for moderators */
      tagIds?: string[] | null | undefined;
      /** 1 to 200 characters */
      title: string;
    };
    createSegment: {
      /** 1 to 10 conditions */
      conditions: SegmentConditionInput[];
      /** How the conditions combine; default: ALL */
      match?: SegmentMatch | null | undefined;
      /** 1 to 60 characters */
      name: string;
    };
    createStatus: {
      /** The key's own board, by `id` or `pid`; may be left out */
      boardId?: string | null | undefined;
      /** CSS hex color, `#rgb` or `#rrggbb` */
      color: string;
      /** A UUID of your choice; default: a new one */
      id?: string | null | undefined;
      /** Whether it is a column of the roadmap; default: true */
      isOnRoadmap?: boolean | null | undefined;
      /** 1 to 50 characters; names must differ by more than case */
      name: string;
      /** Ignored @deprecated Accepted for existing clients; has no effect */
      postId?: string | null | undefined;
    };
    createTag: {
      /** CSS hex color, `#rgb` or `#rrggbb` */
      color?: string | null | undefined;
      /** Whether only the team sees the tag; default: false */
      isPrivate?: boolean | null | undefined;
      /** 1 to 50 characters */
      name: string;
    };
    createUser: {
      /** JSON object to store with the user */
      attributes?: unknown | undefined;
      /** Short text about the user */
      bio?: string | null | undefined;
      /** All companies of the user, at most 20; those that are new are registered */
      companies?: CompanyInput[] | null | undefined;
      /** Email address; several users of a board may have the same */
      email?: string | null | undefined;
      /** Whether the user wants an email when mentioned */
      emailOnMention?: boolean | null | undefined;
      /** URL of the profile picture (http or https) */
      imageUrl?: string | null | undefined;
      /** Marks the user as an integration that may act for other users; default: false */
      isApiUser?: boolean | null | undefined;
      /** Display name */
      name?: string | null | undefined;
      /** Id of the user in your own system; required, here or as `userId` */
      ssoId?: string | null | undefined;
      /** Single sign-on integration that knows the user; required, here or as `ssotype` */
      ssoType?: string | null | undefined;
      /** Same as `ssoType` @deprecated Use `ssoType` */
      ssotype?: string | null | undefined;
      /** Same as `ssoId` @deprecated Use `ssoId` */
      userId?: string | null | undefined;
    };
    createView: {
      /** The filter */
      conditions: ViewConditionInput[];
      /** Whether the whole team sees it; default: false */
      isShared?: boolean | null | undefined;
      /** The list */
      kind: ViewKind;
      /** 1 to 60 characters */
      name: string;
    };
    deleteChangelogEntry: {
      /** Id of the entry */
      id: string;
    };
    deleteComment: {
      /** Id of the comment */
      id: string;
    };
    deleteCompany: {
      /** Id of the company on the board */
      id: string;
    };
    deleteField: {
      /** Id of the field */
      id: string;
    };
    deletePost: {
      /** Id of the post */
      postId: string;
    };
    deleteSegment: {
      /** Id of the segment */
      id: string;
    };
    deleteStatus: {
      /** Id of the status */
      id: string;
      /** Ignored @deprecated Accepted for existing clients; has no effect */
      postId?: string | null | undefined;
    };
    deleteTag: {
      /** Id of the tag */
      id: string;
    };
    deleteUser: {
      /** Whether posts and comments remain, without an author; default: true */
      keepContent?: boolean | null | undefined;
      /** Id of the user in your own system; for users without one, their `id` */
      ssoId: string;
      /** Single sign-on integration that `ssoId` belongs to; default: that of the acting user */
      ssoType?: string | null | undefined;
    };
    deleteView: {
      /** Id of the view */
      id: string;
    };
    downvotePost: {
      /** Id of the post */
      postId: string;
      /** User whose vote it is; for admins and users with isApiUser. Default: the acting user */
      voter?: UserRef | null | undefined;
    };
    linkIssue: {
      /** URL of the issue or pull request, its identifier at Linear or Jira, or its number if one project is connected; default: a new issue there, which is created in the background */
      issue?: string | null | undefined;
      /** Id of the post */
      postId: string;
    };
    mergePosts: {
      /** Ids of 1 to 50 posts to merge */
      sourceIds: string[];
      /** Id of the post that remains */
      targetId: string;
    };
    publishChangelogEntry: {
      /** When to publish it, in the future. Default: now */
      at?: string | Date | null | undefined;
      /** Id of the entry */
      id: string;
    };
    rearrangeFields: {
      /** Ids of fields in their new order */
      ids: string[];
    };
    rearrangeStatuses: {
      /** Ids of statuses in their new order */
      ids: string[];
    };
    rearrangeViews: {
      /** Ids of the views */
      ids: string[];
    };
    removeChangelogReaction: {
      /** Id of the entry */
      id: string;
      /** The reaction */
      reaction: ChangelogReaction;
    };
    removeCommentReaction: {
      /** Id of the comment */
      id: string;
      /** The reaction */
      reaction: CommentReaction;
    };
    removeTeamUser: {
      /** Id of the user in your own system; for users without one, their `id` */
      ssoId: string;
      /** Single sign-on integration that `ssoId` belongs to; default: that of the acting user */
      ssoType?: string | null | undefined;
    };
    removeVote: {
      /** Id of the post */
      postId: string;
      /** User whose vote it is; for admins and users with isApiUser. Default: the acting user */
      voter?: UserRef | null | undefined;
    };
    restoreComment: {
      /** Id of the comment */
      id: string;
    };
    restorePost: {
      /** Id of the deleted post */
      id: string;
    };
    subscribeToPost: {
      /** Id of the post */
      postId: string;
      /** User who follows or stops following; for admins and users with isApiUser. Default: the acting user */
      user?: UserRef | null | undefined;
    };
    unassignPost: {
      /** Id of the post */
      postId: string;
      /** Member of the team */
      user: UserRef;
    };
    undo: {
      /** Id of the operation */
      operationId: string;
    };
    unlinkIssue: {
      /** Id of the link, from `issues` of the post */
      id: string;
    };
    unmergePost: {
      /** Id of the merged post */
      id: string;
    };
    unpublishChangelogEntry: {
      /** Id of the entry */
      id: string;
    };
    unsubscribeFromPost: {
      /** Id of the post */
      postId: string;
      /** User who follows or stops following; for admins and users with isApiUser. Default: the acting user */
      user?: UserRef | null | undefined;
    };
    updateChangelogEntry: {
      /** Ids of all files that the entry should have, at most 10; the others are removed */
      files?: (string | null)[] | null | undefined;
      /** Id of the entry */
      id: string;
      /** All labels that the entry should have */
      labels?: ChangelogLabel[] | null | undefined;
      /** All posts that the entry should link, at most 50; replaces the current ones */
      postIds?: string[] | null | undefined;
      /** New text: Markdown of up to 20,000 characters */
      text?: string | null | undefined;
      /** New title, 1 to 200 characters */
      title?: string | null | undefined;
    };
    updateComment: {
      /** Id of the comment */
      id: string;
      /** New text: Markdown of 1 to 20,000 characters */
      text: string;
    };
    updateCompany: {
      /** Replaces all: an object of at most 50 texts, numbers and booleans; dates are texts such as 2027-01-31 */
      attributes?: unknown | undefined;
      /** Id of the company on the board */
      id: string;
      /** What it pays a month; null removes it */
      monthlyRevenue?: number | null | undefined;
      /** 1 to 100 characters; of a new company the default is its external id */
      name?: string | null | undefined;
      /** What it is subscribed to, at most 100 characters; null removes it */
      plan?: string | null | undefined;
    };
    updateField: {
      /** Hint for clients */
      allowUrlPrefill?: boolean | null | undefined;
      /** The key's own board, by `id` or `pid`; may be left out */
      boardId?: string | null | undefined;
      /** New help text; null removes it */
      description?: string | null | undefined;
      /** Id of the field */
      id: string;
      /** Whether the form for new ideas on the pages asks for it */
      isOnForm?: boolean | null | undefined;
      /** Whether new posts need a value */
      isRequired?: boolean | null | undefined;
      /** New label, 1 to 100 characters */
      label?: string | null | undefined;
      /** Hint for clients: at most 20 texts of 1 to 100 characters */
      locations?: string[] | null | undefined;
      /** All options that the field should have; an option left out is removed from the posts that have it */
      options?: (FieldOptionInput | null)[] | null | undefined;
      /** Ignored @deprecated Accepted for existing clients; has no effect */
      postId?: string | null | undefined;
      /** New type; once posts have values, only a type that accepts all of them */
      type?: FieldType | null | undefined;
      /** Who sees the field and its values */
      visibility?: FieldVisibility | null | undefined;
    };
    updatePost: {
      /** New description: Markdown of up to 20,000 characters */
      comment?: string | null | undefined;
      /** A quarter such as `2026-Q3` or a month such as `2026-09`; an empty text removes it; for moderators */
      expected?: string | null | undefined;
      /** Id of the post */
      id: string;
      /** Whether votes and comments are closed; for moderators */
      isLocked?: boolean | null | undefined;
      /** Whether the post is shown first on the board page; for moderators */
      isPinned?: boolean | null | undefined;
      /** New values of these fields; other fields keep theirs */
      properties?: (PostPropertyInput | null)[] | null | undefined;
      /** All tags that the post should have, at most 50; replaces the current ones */
      tagIds?: string[] | null | undefined;
      /** New title, 1 to 200 characters */
      title?: string | null | undefined;
    };
    updateSegment: {
      /** Replaces all conditions */
      conditions?: SegmentConditionInput[] | null | undefined;
      /** Id of the segment */
      id: string;
      /** How the conditions combine */
      match?: SegmentMatch | null | undefined;
      /** New name, 1 to 60 characters */
      name?: string | null | undefined;
    };
    updateStatus: {
      /** New CSS hex color */
      color?: string | null | undefined;
      /** Id of the status */
      id: string;
      /** Whether it is a column of the roadmap; MERGED can not be one */
      isOnRoadmap?: boolean | null | undefined;
      /** New name, 1 to 50 characters */
      name?: string | null | undefined;
      /** Ignored @deprecated Accepted for existing clients; has no effect */
      postId?: string | null | undefined;
      /** Who may see the posts in the status */
      postVisibility?: PostVisibility | null | undefined;
    };
    updateTag: {
      /** New CSS hex color; null removes it */
      color?: string | null | undefined;
      /** Id of the tag */
      id: string;
      /** Whether only the team sees the tag */
      isPrivate?: boolean | null | undefined;
      /** New name, 1 to 50 characters */
      name?: string | null | undefined;
    };
    updateUser: {
      /** JSON object that replaces the stored one */
      attributes?: unknown | undefined;
      /** New text about the user */
      bio?: string | null | undefined;
      /** All companies of the user, at most 20; for admins and users with isApiUser */
      companies?: CompanyInput[] | null | undefined;
      /** New email address; several users of a board may have the same */
      email?: string | null | undefined;
      /** Whether the user wants an email when mentioned */
      emailOnMention?: boolean | null | undefined;
      /** New URL of the profile picture (http or https) */
      imageUrl?: string | null | undefined;
      /** New display name */
      name?: string | null | undefined;
      /** Id of the user in your own system; for users without one, their `id` */
      ssoId: string;
      /** Single sign-on integration that `ssoId` belongs to; default: that of the acting user */
      ssoType?: string | null | undefined;
    };
    updateView: {
      /** The new filter, which replaces the old one */
      conditions?: ViewConditionInput[] | null | undefined;
      /** Id of the view */
      id: string;
      /** Whether the whole team sees it; only its owner can change this */
      isShared?: boolean | null | undefined;
      /** New name, 1 to 60 characters */
      name?: string | null | undefined;
    };
    upvotePost: {
      /** Id of the post */
      postId: string;
      /** User whose vote it is; for admins and users with isApiUser. Default: the acting user */
      voter?: UserRef | null | undefined;
    };
  };
  Post: {
    assignments: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    changelogEntries: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    comments: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Only comments of these kinds (default: all) */
      types?: CommentType[] | null | undefined;
    };
    demand: {
      /** Id of a segment: only its people and their companies */
      segment?: string | null | undefined;
    };
    events: {
      /** `cursor` of the last event or page you have */
      after?: string | null | undefined;
      /** Events per page, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    issues: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    similar: {
      /** Number of posts, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    subscribers: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    votes: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
  };
  Query: {
    changelog: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Default: PUBLISHED. The others are visible to the team, and empty for everyone else */
      state?: ChangelogState | null | undefined;
    };
    changelogEntry: {
      /** Id of the entry */
      id?: string | null | undefined;
      /** Number of the entry, as in its URL /b/<pid>/changelog/<number>/… */
      number?: number | null | undefined;
    };
    comment: {
      /** Id of the comment */
      id: string;
    };
    comments: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Only comments on this post */
      postId?: string | null | undefined;
      /** Only comments written, edited, moderated or moved at or after this instant, in the order of these changes */
      since?: string | Date | null | undefined;
      /** Default: OLDEST. Not allowed with `since` */
      sort?: CommentSortOrder | null | undefined;
      /** Only comments of these kinds (default: all) */
      types?: CommentType[] | null | undefined;
    };
    companies: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Part of the name or of the external id, at most 100 characters */
      search?: string | null | undefined;
      /** Default: NEWEST */
      sort?: CompanyOrder | null | undefined;
    };
    company: {
      /** Id of the company in your own system */
      externalId: string;
    };
    events: {
      /** `cursor` of the last event or page you have, or `end` for a cursor to what happens from now on; default: from the oldest event that is kept */
      after?: string | null | undefined;
      /** Events per page, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Only events of these types: post.created, post.deleted, post.status.updated, post.tags.updated, comment.created, comment.deleted, changelog.published, changelog.unpublished (default: all) */
      types?: string[] | null | undefined;
    };
    field: {
      /** Id of the field */
      id: string;
    };
    operations: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    post: {
      /** Id of the post */
      id: string;
    };
    postByNumber: {
      /** Number of the post on the board */
      number: number;
    };
    posts: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Conditions on status and fields */
      filters?: PostFilter[] | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Words in title or description; at most 200 characters */
      search?: string | null | undefined;
      /** Id of a segment: only posts that its people upvoted; for the team */
      segment?: string | null | undefined;
      /** Default: RELEVANCE with a search, otherwise TRENDING */
      sort?: PostSortOrder | null | undefined;
      /** Further conditions */
      where?: PostWhere | null | undefined;
    };
    similarPosts: {
      /** Number of posts, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** At most 20,000 characters */
      text?: string | null | undefined;
      /** 1 to 200 characters */
      title: string;
    };
    status: {
      /** Id of the status */
      id: string;
    };
    tag: {
      /** Id of the tag */
      id: string;
    };
    user: {
      /** Id of the user in your own system; for users without one, their `id` */
      ssoId: string;
      /** Single sign-on integration that `ssoId` belongs to; default: that of the acting user */
      ssoType?: string | null | undefined;
    };
    users: {
      /** Id of the last user of the previous page */
      cursor?: string | null | undefined;
      /** Number of users, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Part of the name, at most 100 characters */
      search?: string | null | undefined;
    };
    usersPage: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Part of the name, at most 100 characters */
      search?: string | null | undefined;
      /** Id of a segment: only its people; for the team */
      segment?: string | null | undefined;
      /** Only users registered or changed at or after this instant, in the order of these changes */
      since?: string | Date | null | undefined;
    };
    views: {
      /** Only those of this list */
      kind?: ViewKind | null | undefined;
    };
    votes: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
      /** Only votes on this post */
      postId?: string | null | undefined;
      /** Only votes cast or changed at or after this instant */
      since?: string | Date | null | undefined;
      /** Only votes of the user with this id in your system */
      ssoId?: string | null | undefined;
      /** Single sign-on integration that `ssoId` belongs to; default: that of the acting user */
      ssoType?: string | null | undefined;
    };
  };
  RoadmapColumn: {
    posts: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
  };
  Status: {
    posts: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
  };
  User: {
    comments: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    posts: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
    votes: {
      /** `cursor` of the previous page */
      cursor?: string | null | undefined;
      /** Page size, 1 to 100 (default 20) */
      limit?: number | null | undefined;
    };
  };
}

/** Fields of queries. */
export const queries = ['board', 'changelog', 'changelogEntry', 'comment', 'comments', 'companies', 'company', 'events', 'field', 'listFields', 'listStatuses', 'listTags', 'operations', 'post', 'postByNumber', 'posts', 'rateLimit', 'roadmap', 'segments', 'similarPosts', 'status', 'tag', 'user', 'users', 'usersPage', 'viewer', 'views', 'votes'] as const;

/** Fields of mutations. */
export const mutations = ['addChangelogReaction', 'addCommentReaction', 'addTeamUser', 'assignPost', 'changeCommentModerationStatus', 'changePostModerationStatus', 'changePostStatus', 'changeTeamUserRole', 'createChangelogEntry', 'createComment', 'createCompany', 'createField', 'createPost', 'createSegment', 'createStatus', 'createTag', 'createUser', 'createView', 'deleteChangelogEntry', 'deleteComment', 'deleteCompany', 'deleteField', 'deletePost', 'deleteSegment', 'deleteStatus', 'deleteTag', 'deleteUser', 'deleteView', 'downvotePost', 'linkIssue', 'mergePosts', 'publishChangelogEntry', 'rearrangeFields', 'rearrangeStatuses', 'rearrangeViews', 'removeChangelogReaction', 'removeCommentReaction', 'removeTeamUser', 'removeVote', 'restoreComment', 'restorePost', 'subscribeToPost', 'unassignPost', 'undo', 'unlinkIssue', 'unmergePost', 'unpublishChangelogEntry', 'unsubscribeFromPost', 'updateChangelogEntry', 'updateComment', 'updateCompany', 'updateField', 'updatePost', 'updateSegment', 'updateStatus', 'updateTag', 'updateUser', 'updateView', 'upvotePost'] as const;

/** Those that are called without arguments. */
export const withoutArguments = ['board', 'listFields', 'listStatuses', 'listTags', 'rateLimit', 'roadmap', 'segments', 'viewer'] as const;

/** Those whose result has no fields to select. */
export const withoutFields = ['rearrangeFields', 'rearrangeStatuses', 'removeTeamUser'] as const;

/** Those that return a list page by page. */
export const lists = ['changelog', 'comments', 'companies', 'events', 'operations', 'posts', 'usersPage', 'votes'] as const;

/** Types of variables by the name of the argument; `field.argument` where it is not the usual one. */
export const variableTypes: Record<string, string> = {
  'cursor': 'String',
  'limit': 'Int',
  'id': 'String',
  'reaction': 'ChangelogReaction',
  'addCommentReaction.reaction': 'CommentReaction',
  'emails': '[String!]',
  'type': 'BoardUserType',
  'postId': 'String',
  'user': 'UserRef',
  'moderationStatus': 'CommentModerationStatus',
  'changePostModerationStatus.moderationStatus': 'PostModerationStatus',
  'comment': 'String',
  'statusId': 'String',
  'statusType': 'StatusType',
  'role': 'BoardUserType',
  'ssoId': 'String',
  'ssoType': 'SSOTypes',
  'files': '[String]',
  'labels': '[ChangelogLabel!]',
  'postIds': '[String!]',
  'text': 'String',
  'title': 'String',
  'author': 'UserRef',
  'dateCreated': 'DateTime',
  'notifyCommenters': 'Boolean',
  'notifyDownVoters': 'Boolean',
  'notifyOP': 'Boolean',
  'notifySubscribers': 'Boolean',
  'notifyUpVoters': 'Boolean',
  'parentId': 'String',
  'createComment.type': 'CommentType',
  'attributes': 'JSON',
  'externalId': 'String',
  'monthlyRevenue': 'Float',
  'name': 'String',
  'plan': 'String',
  'allowUrlPrefill': 'Boolean',
  'boardId': 'String',
  'description': 'String',
  'isOnForm': 'Boolean',
  'isRequired': 'Boolean',
  'label': 'String',
  'locations': '[String!]',
  'options': '[FieldOptionInput]',
  'createField.type': 'FieldType',
  'visibility': 'FieldVisibility',
  'properties': '[PostPropertyInput]',
  'tagIds': '[String!]',
  'conditions': '[SegmentConditionInput!]',
  'match': 'SegmentMatch',
  'color': 'String',
  'isOnRoadmap': 'Boolean',
  'isPrivate': 'Boolean',
  'bio': 'String',
  'companies': '[CompanyInput!]',
  'email': 'String',
  'emailOnMention': 'Boolean',
  'imageUrl': 'String',
  'isApiUser': 'Boolean',
  'ssotype': 'String',
  'userId': 'String',
  'createView.conditions': '[ViewConditionInput!]',
  'isShared': 'Boolean',
  'kind': 'ViewKind',
  'keepContent': 'Boolean',
  'voter': 'UserRef',
  'issue': 'String',
  'sourceIds': '[String!]',
  'targetId': 'String',
  'at': 'DateTime',
  'ids': '[String!]',
  'removeCommentReaction.reaction': 'CommentReaction',
  'operationId': 'String',
  'updateField.type': 'FieldType',
  'expected': 'String',
  'isLocked': 'Boolean',
  'isPinned': 'Boolean',
  'postVisibility': 'PostVisibility',
  'updateView.conditions': '[ViewConditionInput!]',
  'types': '[CommentType!]',
  'segment': 'String',
  'after': 'String',
  'state': 'ChangelogState',
  'number': 'Int',
  'since': 'DateTime',
  'sort': 'CommentSortOrder',
  'search': 'String',
  'companies.sort': 'CompanyOrder',
  'events.types': '[String!]',
  'filters': '[PostFilter!]',
  'posts.sort': 'PostSortOrder',
  'where': 'PostWhere',
};
