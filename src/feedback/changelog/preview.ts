import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { requireText } from '../../platform/texts/text.ts';
import { countPreview } from '../comments/preview.ts';
import { ENTRY_TEXT } from './entries.ts';

/**
 * The text of an entry that its author wants to see first, as it would be stored.
 * @param address where the author is
 * @throws FORBIDDEN, BAD_REQUEST, RATE_LIMIT_EXCEEDED
 */
export async function requireEntryPreview(context: ActorContext, text: string, address: string): Promise<string> {
  requireRight(context.actor, 'changelog.edit');
  const parsed = requireText(text, ENTRY_TEXT);
  await countPreview(context, context.actor.id, address);
  return parsed;
}
