import { PICTURE_PATH } from '../../identity/accounts/rules.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { isId, makeToken } from '../../platform/lib/ids.ts';
import { type Picture, requirePicture } from './branding.ts';
import { isSame } from './files.ts';
import type { FileFolder } from './folder.ts';
import { removeBytes } from './removing.ts';
import { keepBytes, receiveFile } from './uploading.ts';

declare module '../../platform/db/db.ts' {
  interface Tables {
    /** The picture of an account, at most one each; its id is that of the bytes. */
    account_pictures: {
      id: string;
      account_id: string;
      /** The part of its URL that cannot be guessed. */
      token: string;
      content_type: string;
      size: number;
      date_created: number;
    };
  }
}

/**
 * Gives an account another picture, or none, on all its boards, and removes the previous one.
 * @returns the users on these boards as they are now
 * @throws BAD_REQUEST for anything but a complete PNG, JPEG, GIF or WebP image within the limits
 */
export async function changeAccountPicture(
  context: RequestContext,
  folder: FileFolder,
  accountId: string,
  picture: Picture | null,
) {
  if (picture) requirePicture(picture.bytes);
  const received = picture && (await receiveFile({ ...context, actor: null }, folder, picture));
  const now = context.clock.now();
  const token = makeToken(24);
  const image = received && `${PICTURE_PATH}/${received.id}/${token}`;
  return context.db.transaction(async (tx) => {
    // First, since it locks the account: of two pictures that are sent at once, the later one replaces the other.
    await tx.updateTable('accounts').set({ image, date_updated: now }).where('id', '=', accountId).execute();
    await removePictureOf(tx, accountId);
    if (received) {
      await keepBytes(tx, received.id);
      const { id, content_type, size } = received;
      const row = { id, account_id: accountId, token, content_type, size, date_created: now };
      await tx.insertInto('account_pictures').values(row).execute();
    }
    const users = tx.updateTable('users').set({ image, date_updated: now }).where('account_id', '=', accountId);
    return users.returningAll().execute();
  });
}

/** Removes the picture of an account; its bytes follow soon after the commit. */
export async function removePictureOf(tx: Tx, accountId: string): Promise<void> {
  const removed = await tx.deleteFrom('account_pictures').where('account_id', '=', accountId).returning('id').execute();
  await removeBytes(
    tx,
    removed.map(({ id }) => id),
  );
}

/** The picture at a URL; null if there is none. */
export async function findPictureByToken(reader: Reader, id: string, token: string) {
  if (!isId(id)) return null;
  const query = reader.selectFrom('account_pictures').selectAll().where('id', '=', id);
  const picture = await query.executeTakeFirst();
  return picture && isSame(token, picture.token) ? picture : null;
}
