/** What is used of the runtime beyond its documented interface. Each function does no harm when the internals have moved. */
import type { Socket } from 'node:net';

/** The parser that the runtime keeps on a socket, with what it calls for heads, and under small numbers for everything else. */
interface Parser {
  onIncoming?: unknown;
  [callback: number]: unknown;
}

const parserOf = (socket: Socket): Parser | undefined =>
  (socket as Socket & { readonly parser?: Parser | null }).parser ?? undefined;

/**
 * Has the parser fail at the next head that it meets, `clientError` being emitted, so that what is left of the 64 KiB that it was
 * given is not made into requests. Otherwise it would make 3,600 of them in 4 to 20 ms, for nothing.
 */
export function stopHeads(socket: Socket): void {
  const parser = parserOf(socket);
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => -1;
}

/**
 * Has the parser pass over the pieces of bodies, of which 64 KiB may hold 11,000, in 6 to 20 ms. The connection has to end: what
 * comes of its bodies from now on is lost. The parser itself serves others later.
 */
export function stopBodies(socket: Socket): void {
  const parser = parserOf(socket);
  for (const callback in parser) {
    const onBody = parser[Number(callback)];
    if (typeof onBody !== 'function' || onBody.name !== 'parserOnBody') continue;
    parser[Number(callback)] = undefined;
    socket.prependOnceListener('close', () => {
      parser[Number(callback)] = onBody;
    });
    return;
  }
}
