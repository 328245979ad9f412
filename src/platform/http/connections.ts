import type { FastifyInstance } from 'fastify';
import { countUnreadPieces } from './pieces.ts';
import { sendTogether } from './send-together.ts';
import { closeSlowTakers } from './slow-takers.ts';

/**
 * Hooks for every route: clients that read slowly or send in tiny pieces cost little, and responses leave together. What
 * is limited before a route is known is in `server.ts`.
 */
export function addConnectionHooks(app: FastifyInstance): void {
  closeSlowTakers(app);
  countUnreadPieces(app);
  sendTogether(app);
}
