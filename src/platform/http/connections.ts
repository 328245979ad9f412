import type { FastifyInstance } from 'fastify';
import { dropHangUps } from './hang-ups.ts';
import { countUnreadPieces } from './pieces.ts';
import { sendTogether } from './send-together.ts';
import { closeSlowTakers } from './slow-takers.ts';

/**
 * Hooks for every route: clients that hang up, read slowly or send in tiny pieces cost little, and responses leave together.
 * `PiecewiseRequest` and the time limits of requests are given to Fastify itself, in `app.ts`.
 */
export function addConnectionHooks(app: FastifyInstance): void {
  dropHangUps(app);
  closeSlowTakers(app);
  countUnreadPieces(app);
  sendTogether(app);
}
