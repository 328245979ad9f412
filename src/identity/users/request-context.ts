import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { BoardRow } from '../board/board.ts';
import type { Actor } from './authority.ts';
import type { UserRow } from './users.ts';

/** Context of every call to a feature: the store, the clock, and the board it is for. */
export type RequestContext = { db: Db; clock: Clock; baseUrl: string; board: BoardRow; operation?: Operation };

/** What a request or a form does as a whole, so that the team can undo it as a whole. */
export type Operation = {
  readonly id: string;
  /** Whether it has changed something that can be undone. */
  isRecorded: boolean;
  /** Whether it has changed more things than can be undone: what else it changes of posts is not recorded. */
  isFull?: boolean;
  /** Whether its changes notify no one: it undoes what no one has been notified of. */
  isQuiet?: boolean;
  /** The name of the API key with which an agent does it, or of the chat in which people wrote it. */
  readonly via?: string;
  /** Ids of the only tags that its API key may put on ideas, see `budget.ts`; all if there are none. */
  readonly tags?: readonly string[] | undefined;
  /** What it causes besides its changes, for a dry run. */
  readonly trace?: Trace;
};

/** The events and notices that an operation has caused. */
export type Trace = { events: { id: string; type: string; postId: string | null }[]; noticeIds: string[] };

/** Context of a viewer; null is an anonymous one. */
export type ViewerContext = RequestContext & { actor: Actor | null };

/** Context of a change by a user, or by Earshot itself (null). */
export type ServiceContext = RequestContext & { actor: UserRow | null };

/** Context of a request by a user: most features check what that user may do. */
export type ActorContext = RequestContext & { actor: UserRow };
