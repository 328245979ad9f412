import type { FastifyInstance } from 'fastify';
import { leaveBodies } from './body.ts';
import { countUnreadPieces } from './pieces.ts';
import { sendTogether } from './send-together.ts';
import { closeSlowTakers } from './slow-takers.ts';

/**
 * What holds for every route: bodies are read only by routes that want them, clients that read slowly or send in tiny pieces
 * cost little, and responses leave together. What is limited before a route is known is in `server.ts`.
 */
export function addConnectionHooks(app: FastifyInstance): void {
  leaveBodies(app);
  closeSlowTakers(app);
  countUnreadPieces(app);
  sendTogether(app);
}
