/** Where webhooks may send to. */
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../common/loopback.ts';
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
    const isIn = inNetworks(networks);
    const post = postTo(isPlain ? isNotLoopback : (address) => !isIn(address) && isPrivate(address));
    return post(url.href, { method: 'POST', ...request });
  };
}

/** Returns whether an address is in one of these networks. */
function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const opened = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    opened.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => opened.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
