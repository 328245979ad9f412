import { eventTypes } from '../events/events.ts';
import { findDescription } from '../feedback/comments/comments.ts';
import { cursorOf, listComments } from '../feedback/comments/list.ts';
import { listUnapproved, moderateComment } from '../feedback/comments/moderation.ts';
import { requirePreview } from '../feedback/comments/preview.ts';
import { createComment, deleteComment, updateComment } from '../feedback/comments/writing.ts';
import { applyDrafts, DRAFT_MS, discardDraft, keepDraft, listDrafts, readDraft } from '../feedback/drafts/drafts.ts';
import { filePath, findFilesOfComments, findFilesOfPosts } from '../feedback/files/files.ts';
import { changeLook } from '../feedback/files/looks.ts';
import { isRasterImage } from '../feedback/files/sniffing.ts';
import { choosePosts } from '../feedback/finding/choosing.ts';
import { findPostsBy } from '../feedback/finding/finding.ts';
import { createPost } from '../feedback/lifecycle/creating.ts';
import { changePostStatus, deletePost, restorePost, updatePost } from '../feedback/lifecycle/editing.ts';
import { mergePosts, unmergePost } from '../feedback/lifecycle/merging.ts';
import { moderatePost } from '../feedback/lifecycle/moderation.ts';
import { countPostsIn } from '../feedback/posts/counting.ts';
import { listPosts, listPostsOfEach } from '../feedback/posts/list.ts';
import { findPost, findPostByNumber, findPosts, POST_TEXT, POST_TITLE } from '../feedback/posts/posts.ts';
import { listRoadmap } from '../feedback/roadmap/roadmap.ts';
import { parseSearch } from '../feedback/search/search.ts';
import { findSimilar } from '../feedback/search/similar.ts';
import { listStatuses } from '../feedback/statuses/statuses.ts';
import { findSubscriptions, setSubscription } from '../feedback/subscriptions/subscriptions.ts';
import { findTagsOfPosts } from '../feedback/tags/tagging.ts';
import { listTags } from '../feedback/tags/tags.ts';
import { isHeld, isTeam, seesStatus } from '../feedback/visibility/posts.ts';
import { findVotesOfUser, vote } from '../feedback/votes/votes.ts';
import { requirePassword } from '../identity/accounts/input.ts';
import { LINK_MINUTES, PASSWORD } from '../identity/accounts/rules.ts';
import { boardUrl, findBoardByDomain, listBoards, plans, requireBoard } from '../identity/board/board.ts';
import { makeBrand } from '../identity/board/brand.ts';
import { defaultRateRules, findMakers, listKeys, requireKey } from '../identity/keys/keys.ts';
import { changeKey, issueKey, rotateKey, withdrawKey } from '../identity/keys/managing.ts';
import { findUsage } from '../identity/keys/usage.ts';
import { changeBoard, changePlan, FIRST_SETUP_STEP, LAST_SETUP_STEP } from '../identity/settings/settings.ts';
import { sendTestMail } from '../identity/settings/test-mail.ts';
import {
  acceptInvitation,
  listInvitations,
  requireInvitation,
  withdrawInvitation,
} from '../identity/team/invitations.ts';
import { inviteByMail } from '../identity/team/inviting.ts';
import { changeRole, findMember, joinBoard, listMemberships, listTeam } from '../identity/team/members.ts';
import { may } from '../identity/users/authority.ts';
import { findUsers } from '../identity/users/users.ts';
import { exportBytes, exportFormats, exportHeaders } from '../operations/exports/export.ts';
import { seedBoard } from '../operations/sample/seed.ts';
import { beginningOf } from '../platform/lib/beginning.ts';
import { deriveId, isId, makeId, makeToken } from '../platform/lib/ids.ts';
import { isAddressBlock, plainAddress } from '../platform/lib/ip-list.ts';
import { makeSlug } from '../platform/lib/text.ts';
import { countAttempt, networkOf } from '../platform/limits/throttle.ts';
import { listMails } from '../platform/mail/mails.ts';
import { writeOut } from '../platform/messages.ts';
import { canTellOwners } from '../webhooks/delivery/health-mail.ts';
import { findBody, listAttempts, listDeliveries, listLastAttempts } from '../webhooks/log/log.ts';
import {
  countAttempts,
  countAttemptsByHour,
  countBacklog,
  findMedianTime,
  isSlowMedian,
  withLastSuccess,
} from '../webhooks/log/statistics.ts';
import { makeWebhookSecret, manageWebhooks } from '../webhooks/managing/managing.ts';
import { listReceiverCode } from '../webhooks/managing/receiver-code.ts';
import { findLatestVerification } from '../webhooks/verification/verification-log.ts';
import { disablesAt } from '../webhooks/webhook/health.ts';
import { eventsOf, healthOf, listWebhooks, requireWebhook, WEBHOOKS_PER_BOARD } from '../webhooks/webhook/webhooks.ts';
import { renderBeginning, renderInTurn, renderMarkdown } from './rendering.ts';

/** The functions that loaders and actions call. Pages import only types from here, so they get these by hand. */
export const features = {
  acceptInvitation,
  applyDrafts,
  beginningOf,
  boardUrl,
  canTellOwners,
  changeBoard,
  changeKey,
  changeLook,
  changePlan,
  changePostStatus,
  changeRole,
  choosePosts,
  countPostsIn,
  countAttempt,
  countAttempts,
  countAttemptsByHour,
  countBacklog,
  commentCursor: cursorOf,
  createComment,
  createPost,
  defaultRateRules,
  deleteComment,
  deletePost,
  discardDraft,
  deriveId,
  disablesAt,
  draftMs: DRAFT_MS,
  eventsOf,
  eventTypes,
  filePath,
  exportBytes,
  exportFormats,
  exportHeaders,
  findBoardByDomain,
  findBody,
  findDescription,
  findFilesOfComments,
  findFilesOfPosts,
  findLatestVerification,
  findMakers,
  findMedianTime,
  findMember,
  findPost,
  findPostByNumber,
  findUsage,
  findPosts,
  findPostsBy,
  findSimilar,
  findSubscriptions,
  findTagsOfPosts,
  findUsers,
  findVotesOfUser,
  healthOf,
  inviteByMail,
  isAddressBlock,
  isHeld,
  isId,
  isRasterImage,
  isSlowMedian,
  issueKey,
  linkMinutes: LINK_MINUTES,
  isTeam,
  joinBoard,
  keepDraft,
  listAttempts,
  listBoards,
  listComments,
  listDeliveries,
  listDrafts,
  listInvitations,
  listKeys,
  listLastAttempts,
  listMails,
  listMemberships,
  listPosts,
  listPostsOfEach,
  listReceiverCode,
  listRoadmap,
  listStatuses,
  listTags,
  listTeam,
  listUnapproved,
  listWebhooks,
  makeBrand,
  makeId,
  makeSlug,
  makeToken,
  makeWebhookSecret,
  manageWebhooks,
  may,
  mergePosts,
  moderateComment,
  moderatePost,
  networkOf,
  parseSearch,
  passwordLength: PASSWORD,
  plainAddress,
  plans,
  postText: POST_TEXT,
  postTitle: POST_TITLE,
  readDraft,
  renderBeginning,
  renderInTurn,
  renderMarkdown,
  requireBoard,
  requireInvitation,
  requireKey,
  requirePassword,
  requirePreview,
  requireWebhook,
  restorePost,
  rotateKey,
  seedBoard,
  seesStatus,
  sendTestMail,
  setSubscription,
  setupSteps: { first: FIRST_SETUP_STEP, last: LAST_SETUP_STEP },
  unmergePost,
  updateComment,
  updatePost,
  webhooksPerBoard: WEBHOOKS_PER_BOARD,
  vote,
  withdrawInvitation,
  withdrawKey,
  withLastSuccess,
  writeOut,
};

export type Features = typeof features;
