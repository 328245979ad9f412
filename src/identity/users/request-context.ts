import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { BoardRow } from '../board/board.ts';
import type { UserRow } from './users.ts';

/** Where a call to a feature happens: the board it is for, its store, and what time it is. */
export type RequestContext = { db: Db; clock: Clock; baseUrl: string; board: BoardRow };

/** A call by a person, or by the service itself (null). */
export type ServiceContext = RequestContext & { actor: UserRow | null };

/** A call by a person: most of what the features do needs to know who asks. */
export type ActorContext = RequestContext & { actor: UserRow };
