/** Networks of IP addresses in CIDR notation. */
import { BlockList, isIP } from 'node:net';

const bitsOf: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
const familyOf = (version: number) => (version === 4 ? 'ipv4' : 'ipv6');

/** Whether a text is a network such as `10.0.0.0/8`, or a single address. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = bitsOf[isIP(address)];
  if (bits === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/** Returns the addresses of these networks, of which `isNetwork` is true. */
export function addressesIn(networks: readonly string[]): BlockList {
  const addresses = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const version = isIP(address);
    addresses.addSubnet(address, Number(prefix ?? bitsOf[version]), familyOf(version));
  }
  return addresses;
}

/** Whether a text is an IP address, and one of these. */
export function isAmong(addresses: BlockList, text: string): boolean {
  const version = isIP(text);
  return version !== 0 && addresses.check(text, familyOf(version));
}
