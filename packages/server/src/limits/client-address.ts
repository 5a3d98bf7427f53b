/** Groups requests without a credential by client address. */

import { type BlockList, isIP, isIPv6, SocketAddress } from 'node:net';
import { isAmong } from '../common/net/networks.ts';

/** An IPv4 address as dual-stack sockets write it. @see RFC 4291 §2.5.5.2 */
const mappedPrefix = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/**
 * The name under which a client is counted: its IPv4 address, or the /64 network of its IPv6 address, since one subscriber commonly holds
 * all of that.
 *
 * `forwardedFor` is read from its right end, which the nearest proxy wrote, while the writing address is a trusted proxy. Anything written
 * by another address is ignored.
 */
export function clientName(
  peerAddress: string,
  forwardedFor: string | undefined,
  trustedProxies: BlockList | undefined,
): string {
  let address = peerAddress.replace(mappedPrefix, '');
  if (trustedProxies !== undefined && forwardedFor !== undefined) {
    for (const hop of forwardedFor.split(',').reverse()) {
      if (!isAmong(trustedProxies, address)) break;
      const candidate = hop.trim().replace(mappedPrefix, '');
      if (isIP(candidate) === 0) break;
      address = candidate;
    }
  }
  return address.includes(':') && isIPv6(address) ? networkOf(address) : address;
}

/**
 * A client's network, from its name: the /48 of an IPv6 network, since a subscriber may hold all of it, or the IPv4 address itself.
 *
 * @see RFC 6177 §2
 */
export const networkName = (name: string): string =>
  name.endsWith('::/64') ? `${name.split(':', 3).join(':')}::/48` : name;

/** A client's neighbourhood, from its name: an IPv4 address's /24, or an IPv6 network's /48. */
export function blockName(name: string): string {
  const [, block] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(name) ?? [];
  return block === undefined ? networkName(name) : `${block}.0/24`;
}

/** Whether a peer is one of the trusted proxies. */
export function isTrustedProxy(peerAddress: string, trustedProxies: BlockList | undefined): boolean {
  return trustedProxies !== undefined && isAmong(trustedProxies, peerAddress.replace(mappedPrefix, ''));
}

/** The first four groups of an address, which are its /64 network. */
function networkOf(address: string): string {
  const groups = new SocketAddress({ address: address.split('%')[0] as string, family: 'ipv6' }).address;
  const [head = '', tail] = groups.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return `${[...left, ...Array.from({ length: missing }, () => '0'), ...right].slice(0, 4).join(':')}::/64`;
}
