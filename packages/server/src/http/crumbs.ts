/** Bodies in very many very small pieces: each piece costs as much as a thousand bytes do. */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../common/refusal.ts';
import { nextTurn } from './event-loop.ts';
import { stopBodies } from './node-internals.ts';

/** After this many pieces, they must have `pieceBytesMin` bytes on average. */
export const crumbPiecesMin = 1_024;
const pieceBytesMin = 16;
/**
 * Once so many smaller pieces have come in one turn of the event loop, which takes some 10 ms, `fewPiecesMin` of them are enough to refuse
 * a body: the runtime reads every socket that is ready before anything else runs, and hundreds of bodies may be.
 */
const crumbsInTurnMax = 4_096;
const fewPiecesMin = 32;

let crumbsInTurn = 0;

function noteCrumb(): void {
  if (crumbsInTurn++ > 0) return;
  nextTurn(() => {
    crumbsInTurn = 0;
  });
}

export const isCrumbled = (pieces: number, bytes: number): boolean =>
  pieces > (crumbsInTurn > crumbsInTurnMax ? fewPiecesMin : crumbPiecesMin) && bytes < pieces * pieceBytesMin;

/** The refusal of a body in crumbs that is being read. The connection has to end with it. */
export function refuseCrumbs({ socket }: IncomingMessage): Refusal {
  stopBodies(socket);
  const message = `the body comes in pieces of less than ${pieceBytesMin} bytes on average; send larger chunks`;
  return new Refusal('validation_error', message);
}

/** Ends the connection of a chunked body that comes in crumbs before it is read: the runtime would keep the crumbs one by one. */
export function watchUnread(request: IncomingMessage): void {
  const { push } = request;
  let pieces = 0;
  let bytes = 0;
  request.push = (piece: Uint8Array | null) => {
    if (piece !== null && piece.length < pieceBytesMin) noteCrumb();
    if (piece !== null && request.readableFlowing !== true) {
      bytes += piece.length;
      if (isCrumbled(++pieces, bytes)) {
        stopBodies(request.socket);
        request.destroy();
        return false;
      }
    }
    return push.call(request, piece);
  };
}
