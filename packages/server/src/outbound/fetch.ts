/** What rooms know about requests to other machines. */

/** Sends a request; rejects if no response arrives. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request without a usable response, with its cause. A parser's error is left out as a cause, since it quotes the response. */
export class FetchFault extends Error {
  override readonly name = 'FetchFault';
}
