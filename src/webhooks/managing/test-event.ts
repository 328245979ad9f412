import { escapeJson } from '../../events/events.ts';
import type { BoardRow } from '../../identity/board/board.ts';

/** The type of a test delivery, which is not in the event log. */
export const TEST_EVENT = 'test';

/** The body of a test event. */
export function writeTestEvent(board: BoardRow, now: number): string {
  const message = `A test event of the board ${board.name}. Nothing has happened.`;
  const triggeredAt = new Date(now).toISOString();
  return escapeJson({ event: TEST_EVENT, boardId: board.id, triggeredAt, data: { message } });
}
