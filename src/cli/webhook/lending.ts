import { operator } from '../../identity/users/authority.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { requireStoreKey } from '../../platform/db/key-check.ts';
import { makeLog } from '../../platform/lib/log.ts';
import { makeSender } from '../../webhooks/http/sender.ts';
import { manageWebhooks } from '../../webhooks/managing/managing.ts';
import { listEncryptedSecrets } from '../../webhooks/webhook/encrypted-secrets.ts';
import { type Environment, withBoard } from '../store.ts';

/** The webhooks of a board, for its operator. */
type Managing = ReturnType<typeof manageWebhooks>;

/** Runs work with the webhooks of a board, which the operator manages, and closes the store afterwards. */
export type Lend = <T>(
  pid: string | undefined,
  work: (context: RequestContext, webhooks: Managing) => Promise<T>,
) => Promise<T>;

/** Makes what lends webhooks of the store that the environment names. */
export function makeLend(env: Environment): Lend {
  return (pid, work) =>
    withBoard(env, pid, async (context, { db, config }) => {
      const sender = makeSender(config, await requireStoreKey(db, config, listEncryptedSecrets), context.clock);
      // What a command does is printed, not logged.
      return work(context, manageWebhooks({ ...context, actor: operator }, sender, makeLog('silent')));
    });
}
