/** What is used of the runtime beyond its documented interface. Each function does no harm when the internals have moved. */
import type { ServerResponse } from 'node:http';
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

/** Where the runtime keeps the head of a response once it has printed it, and what it learns meanwhile. */
type HeadKeeper = ServerResponse & { _header?: string | null; _hasBody?: boolean; _last?: boolean };

/**
 * Gives a response a head that is printed already, as if the runtime had printed it. Returns whether it takes one: where it does not,
 * nothing has happened, and the head has to be given to it field by field.
 */
export function keepPrintedHead(response: ServerResponse, head: string, isLast: boolean, hasBody: boolean): boolean {
  const keeper: HeadKeeper = response;
  if (keeper._header !== null || keeper._hasBody === undefined || keeper._last === undefined) return false;
  keeper._header = head;
  keeper._hasBody &&= hasBody;
  keeper._last = isLast;
  return true;
}
