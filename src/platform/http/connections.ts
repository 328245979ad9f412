import type { FastifyInstance } from 'fastify';
import { dropHangUps } from './hang-ups.ts';
import { countUnreadPieces } from './pieces.ts';
import { sendTogether } from './sends.ts';
import { closeSlowTakers } from './slow-takers.ts';

/** Applies to every route: clients that hang up, dawdle, or send in tiny pieces cost little, and responses leave together. */
export function tendConnections(app: FastifyInstance): void {
  dropHangUps(app);
  closeSlowTakers(app);
  countUnreadPieces(app);
  sendTogether(app);
}
