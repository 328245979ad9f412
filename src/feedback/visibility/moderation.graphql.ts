import { describeValues } from '../../platform/graphql/builder.ts';

/** Values of both enums of moderation statuses, with what each means. */
export const moderationValues = describeValues({
  APPROVED: 'Visible to everyone who may see the board',
  REJECTED: 'Visible to the team and the author only',
  FLAGGED: 'Visible, and marked for review',
  PENDING: 'Waiting for approval: visible to the team and the author only',
});
