/** Bodies in very many tiny pieces: each piece costs as much as a thousand bytes. */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../common/requests/refusal.ts';
import { stopBodies, watchPieces } from '../node/node-internals.ts';
import { noteRead } from '../turns/read-turns.ts';

/** After this many pieces, their average must be at least `pieceBytesMin` bytes. */
const tinyChunksMin = 1_024;
const pieceBytesMin = 16;
/**
 * Once this many smaller pieces have arrived within `tinyMilliseconds`, which costs some 10 ms, a body is refused after only `fewPiecesMin`
 * of them: hundreds of bodies may arrive in such pieces at one moment.
 */
const tinyMax = 4_096;
const tinyMilliseconds = 250;
const fewPiecesMin = 32;

let tinyPieces = 0;

function noteTiny(): void {
  if (tinyPieces++ > 0) return;
  setTimeout(() => {
    tinyPieces = 0;
  }, tinyMilliseconds).unref();
}

export const isTinyChunked = (pieces: number, bytes: number): boolean =>
  pieces > (tinyPieces > tinyMax ? fewPiecesMin : tinyChunksMin) && bytes < pieces * pieceBytesMin;

/** The refusal of a body that arrives in tiny chunks while it is read. The connection must end with it. */
export function refuseTinyChunks({ socket }: IncomingMessage): Refusal {
  stopBodies(socket);
  const message = `the body comes in pieces of less than ${pieceBytesMin} bytes on average; send larger chunks`;
  return new Refusal('validation_error', message);
}

/** Ends the connection of a body that arrives in tiny chunks before it is read: the runtime would keep each chunk. */
export function watchUnread(request: IncomingMessage): void {
  let pieces = 0;
  let bytes = 0;
  watchPieces(request, (piece) => {
    if (piece.length < pieceBytesMin) noteTiny();
    if (request.readableFlowing === true) return true;
    noteRead();
    bytes += piece.length;
    if (!isTinyChunked(++pieces, bytes)) return true;
    stopBodies(request.socket);
    request.destroy();
    return false;
  });
}
