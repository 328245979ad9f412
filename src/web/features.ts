import { requirePassword } from '../accounts/input.ts';
import { LINK_MINUTES, PASSWORD } from '../accounts/rules.ts';
import { boardUrl, findBoardByDomain, listBoards, plans, requireBoard } from '../board/board.ts';
import { makeBrand } from '../board/brand.ts';
import { changeBoard, changePlan, FIRST_SETUP_STEP, LAST_SETUP_STEP } from '../board/settings.ts';
import { findDescription } from '../comments/comments.ts';
import { listComments } from '../comments/list.ts';
import { eventTypes } from '../events/events.ts';
import { exportBytes, exportFormats, exportHeaders } from '../exports/export.ts';
import { filePath, findFilesOfComments, findFilesOfPosts } from '../files/files.ts';
import { changeLook } from '../files/looks.ts';
import { isRasterImage } from '../files/sniffing.ts';
import { defaultRateRules, listKeys, requireKey } from '../keys/keys.ts';
import { changeKey, issueKey, rotateKey, withdrawKey } from '../keys/managing.ts';
import { findUsage } from '../keys/usage.ts';
import { makeId, makeToken } from '../lib/ids.ts';
import { isAddressBlock, plainAddress } from '../lib/ip-list.ts';
import { writeOut } from '../lib/say.ts';
import { makeSlug } from '../lib/text.ts';
import { listMails } from '../mail/mails.ts';
import { sendTestMail } from '../mail/testing.ts';
import { countPostsIn } from '../posts/counting.ts';
import { createPost } from '../posts/creating.ts';
import { listPosts } from '../posts/list.ts';
import { findPostByNumber } from '../posts/posts.ts';
import { seedBoard } from '../sample/seed.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { acceptInvitation, listInvitations, requireInvitation, withdrawInvitation } from '../team/invitations.ts';
import { inviteByMail } from '../team/inviting.ts';
import { changeRole, findMember, listMemberships, listTeam } from '../team/members.ts';
import { may } from '../users/authority.ts';
import { findUsers } from '../users/users.ts';
import { disablesAt } from '../webhooks/health.ts';
import { findBody, listAttempts, listDeliveries, listLastAttempts } from '../webhooks/log.ts';
import { makeWebhookSecret, manageWebhooks } from '../webhooks/managing.ts';
import { listReceiverCode } from '../webhooks/receiver-code.ts';
import { countAttempts, countAttemptsByHour, countBacklog, findMedianTime } from '../webhooks/statistics.ts';
import { findLatestVerification } from '../webhooks/verification-log.ts';
import { eventsOf, healthOf, listWebhooks, requireWebhook, WEBHOOKS_PER_BOARD } from '../webhooks/webhooks.ts';

/** The functions that loaders and actions call. Pages import only types from here, so they get these by hand. */
export const features = {
  acceptInvitation,
  boardUrl,
  changeBoard,
  changeKey,
  changeLook,
  changePlan,
  changeRole,
  countPostsIn,
  countAttempts,
  countAttemptsByHour,
  countBacklog,
  createPost,
  defaultRateRules,
  disablesAt,
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
  findMedianTime,
  findMember,
  findPostByNumber,
  findUsage,
  findUsers,
  healthOf,
  inviteByMail,
  isAddressBlock,
  isRasterImage,
  issueKey,
  linkMinutes: LINK_MINUTES,
  listAttempts,
  listBoards,
  listComments,
  listDeliveries,
  listInvitations,
  listKeys,
  listLastAttempts,
  listMails,
  listMemberships,
  listPosts,
  listReceiverCode,
  listStatuses,
  listTeam,
  listWebhooks,
  makeBrand,
  makeId,
  makeSlug,
  makeToken,
  makeWebhookSecret,
  manageWebhooks,
  may,
  passwordLength: PASSWORD,
  plainAddress,
  plans,
  /** What renders takes 40 ms and 5 MB to load, so it comes with the first page that shows a text. */
  renderMarkdown: async (text: string) => (await import('../lib/markdown.ts')).renderMarkdown(text),
  requireBoard,
  requireInvitation,
  requireKey,
  requirePassword,
  requireWebhook,
  rotateKey,
  seedBoard,
  sendTestMail,
  setupSteps: { first: FIRST_SETUP_STEP, last: LAST_SETUP_STEP },
  webhooksPerBoard: WEBHOOKS_PER_BOARD,
  withdrawInvitation,
  withdrawKey,
  writeOut,
};

export type Features = typeof features;
