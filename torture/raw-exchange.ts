/** Sends bytes as they are over a connection of their own, and collects whatever comes back until it ends. */
import { connect, type Socket } from 'node:net';

/** How long the client waits for the first byte before it says that it has nothing more to send: a server drops what it still works on then. */
const firstByteMilliseconds = 500;
/** The same between two bytes. */
const quietMilliseconds = 40;
/** A server that still holds the connection then, cut off as it is, never lets go of it. */
const heldMillisecondsMax = 15_000;

export interface Collected {
  /** All that was received; of a connection that the server reset, what came before. */
  readonly wire: Buffer;
  /** Whether the server kept the connection open although the client had ended its side. */
  readonly isHeld: boolean;
}

/** Sends the pieces apart from each other and resolves when the connection is over. */
export function sendAndCollect(
  { hostname, port }: { readonly hostname: string; readonly port: number },
  pieces: readonly Buffer[],
): Promise<Collected> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    let isHeld = false;
    const socket = connect({ host: hostname, port, noDelay: true });
    let patience = setTimeout(() => socket.end(), firstByteMilliseconds);
    const held = setTimeout(() => {
      isHeld = true;
      socket.destroy();
    }, heldMillisecondsMax);
    socket.on('data', (piece: Buffer) => {
      received.push(piece);
      clearTimeout(patience);
      patience = setTimeout(() => socket.end(), quietMilliseconds);
    });
    socket.on('error', () => {}); // a reset is the server's good right; 'close' follows
    socket.on('close', () => {
      clearTimeout(held);
      clearTimeout(patience);
      resolve({ wire: Buffer.concat(received), isHeld });
    });
    sendPieces(socket, pieces, () => patience.refresh());
  });
}

function sendPieces(socket: Socket, [piece, ...rest]: readonly Buffer[], onSent: () => void): void {
  onSent();
  if (piece === undefined || socket.writableEnded || socket.destroyed) return;
  socket.write(piece, () => setImmediate(() => sendPieces(socket, rest, onSent)));
}
