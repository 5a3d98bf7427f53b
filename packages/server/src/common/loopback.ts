/** Which hosts are only this machine. */
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a host, as a URL or a setting writes it, is only this machine: `localhost`, or an address of the loopback interface. */
export function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  return version === 0 ? /^localhost$/i.test(address) : loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
