/** Where webhooks may send to. */

import { isLoopback } from '../common/net/loopback.ts';
import { addressesIn, isAmong } from '../common/net/networks.ts';
import type { Send } from './attempt.ts';

export interface SendParts {
  /** Returns what sends a request on a connection of its own, unless its address is refused as the connection is made. */
  readonly postTo: (isRefused: (address: string) => boolean) => (url: string, request: PostRequest) => ReturnType<Send>;
  /** Whether the service serves this machine only. */
  readonly isLocal: () => boolean;
  /** Whether an address is not on the public Internet, or is this machine's. */
  readonly isPrivate: (address: string) => boolean;
}

type PostRequest = Parameters<Send>[1] & { readonly method: 'POST' };

/** Returns what sends a request. `https:` goes to public addresses and the account's networks only, `http:` to this machine only. */
export function createSend({ postTo, isLocal, isPrivate }: SendParts): Send {
  const isNotLoopback = (address: string) => !isLoopback(address);
  return (url, request, networks) => {
    const isPlain = url.protocol === 'http:';
    if (isPlain && !isLocal()) throw new Error('http: is for this machine only');
    const opened = addressesIn(networks);
    const post = postTo(isPlain ? isNotLoopback : (address) => !isAmong(opened, address) && isPrivate(address));
    return post(url.href, { method: 'POST', ...request });
  };
}
