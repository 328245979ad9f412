import { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The number of pieces that every body may have; beyond it, they must have this many bytes on average. */
const FREE_PIECES = 1_000;
const BYTES_OF_A_PIECE = 32;

/**
 * A request whose connection is closed if its body arrives in too many pieces. Each takes 300 bytes of memory and 2 µs
 * or more, and a chunk may have one byte (RFC 9112, §7.1): 6 MB on the wire would become 300 MB.
 */
export class PiecewiseRequest extends IncomingMessage {
  #piecesLeft = FREE_PIECES;

  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.destroyed) return false;
    this.#piecesLeft -= piece === null ? 0 : 1 - piece.length / BYTES_OF_A_PIECE;
    if (this.#piecesLeft >= 0) return super.push(piece, encoding);
    this.destroy();
    return false;
  }
}

/** Also counts the pieces of bodies that are not read: Node skips these once the request has a response. */
export function countUnreadPieces(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.raw.resume();
    done(null, payload);
  });
}
