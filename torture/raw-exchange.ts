/** Sends raw bytes over a new connection, and collects the response until the connection ends. */
import { connect, type Socket } from 'node:net';

/** How long the client waits for the first byte before it ends its side, upon which a server drops pending work. */
const firstByteMilliseconds = 500;
/** The same between two bytes. */
const quietMilliseconds = 40;
/** If the server still holds the half-closed connection after this, it would never close it. */
const heldMillisecondsMax = 15_000;

export interface Collected {
  /** All received bytes; if the server reset the connection, those before the reset. */
  readonly wire: Buffer;
  /** Whether the server kept the connection open although the client had ended its side. */
  readonly isHeld: boolean;
}

/** Sends the pieces separately and resolves when the connection ends. */
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
    socket.on('error', () => {}); // servers may reset; 'close' follows
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
