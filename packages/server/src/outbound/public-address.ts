/** Recognises addresses on the public Internet. All others lead to this machine, its link, or an internal network. */

import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressesIn, isAmong } from '../common/net/networks.ts';

/**
 * The last one is Azure's metadata address for virtual machines, like those in 169.254.0.0 elsewhere.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const privateNetworks4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16/32',
];

/** All IPv6 addresses of the Internet. Outside are those of a machine, of its link, and nearly all that wrap an IPv4 address. */
const publicNetwork6 = '2000::/3';
/** A network with NAT64 repeats every IPv4 address; each counts as that IPv4 address. */
const translatedNetwork6 = '64:ff9b::';

/**
 * Public addresses that wrap an IPv4 address for a gateway, and unassigned ones.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const privateNetworks6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const publicNetworks = addressesIn([publicNetwork6, `${translatedNetwork6}/96`, '0.0.0.0/0']);
const translated = privateNetworks4.map((network) => {
  const [address, bits] = network.split('/');
  return `${translatedNetwork6}${address}/${96 + Number(bits)}`;
});
const privateNetworks = addressesIn([...privateNetworks4, ...translated, ...privateNetworks6]);

/** Whether an IP address is not on the public Internet. An IPv4 address mapped into IPv6 counts as the IPv4 address. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1); // without the zone of a link-local address
  return isAmong(privateNetworks, plain) || !isAmong(publicNetworks, plain);
}

/**
 * Whether an IP address belongs to this machine now. It may be public, yet lead to services that listen only for this machine. `interfaces`
 * returns the machine's interfaces.
 */
export function isOwnAddress(address: string, interfaces = networkInterfaces): boolean {
  const own = Object.values(interfaces()).flatMap((list) => list ?? []);
  return isAmong(addressesIn(own.map((each) => each.address.split('%', 1)[0] as string)), address);
}

/** Whether an IP address is not on the public Internet, or is this machine's: connections of strangers may not lead there. */
export const isInternalAddress = (address: string): boolean => isPrivateAddress(address) || isOwnAddress(address);

/** Whether the host of `url` is a private IP address. */
export function namesPrivateAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isPrivateAddress(host);
}
