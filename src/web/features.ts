import { requirePassword } from '../accounts/input.ts';
import { PASSWORD } from '../accounts/rules.ts';
import { boardUrl, findBoardByDomain, listBoards, requireBoard } from '../board/board.ts';
import { makeBrand } from '../board/brand.ts';
import { changeBoard, FIRST_SETUP_STEP, LAST_SETUP_STEP } from '../board/settings.ts';
import { findDescription } from '../comments/comments.ts';
import { listComments } from '../comments/list.ts';
import { defaultRateRules, listKeys, requireKey } from '../keys/keys.ts';
import { changeKey, issueKey, rotateKey, withdrawKey } from '../keys/managing.ts';
import { makeToken } from '../lib/ids.ts';
import { isAddressBlock, plainAddress } from '../lib/ip-list.ts';
import { renderMarkdown } from '../lib/markdown.ts';
import { makeSlug } from '../lib/text.ts';
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

/** The functions that loaders and actions call. Pages import only types from here, so they get these by hand. */
export const features = {
  acceptInvitation,
  boardUrl,
  changeBoard,
  changeKey,
  changeRole,
  countPostsIn,
  createPost,
  defaultRateRules,
  findBoardByDomain,
  findDescription,
  findMember,
  findPostByNumber,
  findUsers,
  inviteByMail,
  isAddressBlock,
  issueKey,
  listBoards,
  listComments,
  listInvitations,
  listKeys,
  listMemberships,
  listPosts,
  listStatuses,
  listTeam,
  makeBrand,
  makeSlug,
  makeToken,
  may,
  passwordLength: PASSWORD,
  plainAddress,
  renderMarkdown,
  requireBoard,
  requireInvitation,
  requireKey,
  requirePassword,
  rotateKey,
  seedBoard,
  setupSteps: { first: FIRST_SETUP_STEP, last: LAST_SETUP_STEP },
  withdrawInvitation,
  withdrawKey,
};

export type Features = typeof features;
