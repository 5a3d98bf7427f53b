/** Which addresses are on the public Internet. All others lead to the machine itself, its wire, or a network behind it. */
import { BlockList, isIP } from 'node:net';

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const privateNetworks4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];

/**
 * Among them those that wrap an IPv4 address for a gateway on the way, except the well-known prefix 64:ff9b::/96.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const privateNetworks6: readonly (readonly [string, number])[] = [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
];

const networks = new BlockList();
for (const [network, bits] of privateNetworks4) {
  networks.addSubnet(network, bits, 'ipv4');
  // A network with NAT64 has every IPv4 address a second time.
  networks.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
}
for (const [network, bits] of privateNetworks6) networks.addSubnet(network, bits, 'ipv6');

/** Whether an IP address is not on the public Internet. An IPv4 address mapped into IPv6 counts as the IPv4 address. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1); // without the zone of a link-local address
  const version = isIP(plain);
  return version === 0 || networks.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether the host of `url` is written as an IP address that is private. */
export function namesPrivateAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isPrivateAddress(host);
}
