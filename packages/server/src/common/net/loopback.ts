/** Which hosts are only this machine. */
import { isIP } from 'node:net';
import { addressesIn, isAmong } from './networks.ts';

const loopback = addressesIn(['127.0.0.0/8', '::1']);

/** Whether a host, as a URL or a setting writes it, is only this machine: `localhost`, or an address of the loopback interface. */
export function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? /^localhost$/i.test(address) : isAmong(loopback, address);
}
