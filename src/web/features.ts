import { requirePassword } from '../accounts/input.ts';
import { LINK_MINUTES, PASSWORD } from '../accounts/rules.ts';
import { countAttempt, networkOf } from '../accounts/throttle.ts';
import { boardUrl, findBoardByDomain, listBoards, plans, requireBoard } from '../board/board.ts';
import { makeBrand } from '../board/brand.ts';
import { changeBoard, changePlan, FIRST_SETUP_STEP, LAST_SETUP_STEP } from '../board/settings.ts';
import { findDescription } from '../comments/comments.ts';
import { cursorOf, listComments } from '../comments/list.ts';
import { listUnapproved, moderateComment } from '../comments/moderation.ts';
import { requirePreview } from '../comments/preview.ts';
import { createComment, deleteComment, updateComment } from '../comments/writing.ts';
import { applyDrafts, DRAFT_MS, discardDraft, keepDraft, listDrafts, readDraft } from '../drafts/drafts.ts';
import { eventTypes } from '../events/events.ts';
import { exportBytes, exportFormats, exportHeaders } from '../exports/export.ts';
import { filePath, findFilesOfComments, findFilesOfPosts } from '../files/files.ts';
import { changeLook } from '../files/looks.ts';
import { isRasterImage } from '../files/sniffing.ts';
import { defaultRateRules, findMakers, listKeys, requireKey } from '../keys/keys.ts';
import { changeKey, issueKey, rotateKey, withdrawKey } from '../keys/managing.ts';
import { findUsage } from '../keys/usage.ts';
import { beginningOf } from '../lib/beginning.ts';
import { deriveId, isId, makeId, makeToken } from '../lib/ids.ts';
import { isAddressBlock, plainAddress } from '../lib/ip-list.ts';
import { writeOut } from '../lib/say.ts';
import { makeSlug } from '../lib/text.ts';
import { listMails } from '../mail/mails.ts';
import { sendTestMail } from '../mail/testing.ts';
import { choosePosts } from '../posts/choosing.ts';
import { countPostsIn } from '../posts/counting.ts';
import { createPost } from '../posts/creating.ts';
import { changePostStatus, deletePost, restorePost, updatePost } from '../posts/editing.ts';
import { findPostsBy } from '../posts/finding.ts';
import { listPosts, listPostsOfEach } from '../posts/list.ts';
import { mergePosts, unmergePost } from '../posts/merging.ts';
import { moderatePost } from '../posts/moderation.ts';
import { findPost, findPostByNumber, findPosts, POST_TEXT, POST_TITLE } from '../posts/posts.ts';
import { isHeld, isTeam, seesStatus } from '../posts/visibility.ts';
import { listRoadmap } from '../roadmap/roadmap.ts';
import { seedBoard } from '../sample/seed.ts';
import { parseSearch } from '../search/search.ts';
import { findSimilar } from '../search/similar.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { findSubscriptions, setSubscription } from '../subscriptions/subscriptions.ts';
import { findTagsOfPosts } from '../tags/tagging.ts';
import { listTags } from '../tags/tags.ts';
import { acceptInvitation, listInvitations, requireInvitation, withdrawInvitation } from '../team/invitations.ts';
import { inviteByMail } from '../team/inviting.ts';
import { changeRole, findMember, joinBoard, listMemberships, listTeam } from '../team/members.ts';
import { may } from '../users/authority.ts';
import { findUsers } from '../users/users.ts';
import { findVotesOfUser, vote } from '../votes/votes.ts';
import { disablesAt } from '../webhooks/health.ts';
import { canTellOwners } from '../webhooks/health-mail.ts';
import { findBody, listAttempts, listDeliveries, listLastAttempts } from '../webhooks/log.ts';
import { makeWebhookSecret, manageWebhooks } from '../webhooks/managing.ts';
import { listReceiverCode } from '../webhooks/receiver-code.ts';
import {
  countAttempts,
  countAttemptsByHour,
  countBacklog,
  findMedianTime,
  isSlowMedian,
  withLastSuccess,
} from '../webhooks/statistics.ts';
import { findLatestVerification } from '../webhooks/verification-log.ts';
import { eventsOf, healthOf, listWebhooks, requireWebhook, WEBHOOKS_PER_BOARD } from '../webhooks/webhooks.ts';
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
