import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isOwnAddress, isPrivateAddress, namesPrivateAddress } from './public-address.ts';

describe('an address', () => {
  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '2001:0:7f00:1::',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:8.8.8.8',
    '::8.8.8.8',
    '64:ff9b:1::8.8.8.8',
    '64:ff9b:0:0:0:1::7f00:1',
    '100::1',
    '100:0:0:1::1',
    '1000::1',
    '2001:2::1',
    '2001:db8::1',
    '2002:808:808::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'no address',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.255',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2001:4860:4860::8888',
    '2606:4700::1111',
  ])('%s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});

it.each([
  ['https://10.0.0.1/', true],
  ['https://0xa000001/', true],
  ['https://[fd00::1]:8443/', true],
  ['https://8.8.8.8/', false],
  ['https://10.0.0.1.example/', false],
])('%s names a private address: %s', (url, expected) => {
  expect(namesPrivateAddress(url)).toBe(expected);
});

it('the address of this machine is recognised in every form', () => {
  const interfaces = () => ({
    eth0: [
      { address: '93.184.216.34', family: 'IPv4' as const },
      { address: '2606:4700::1111', family: 'IPv6' as const },
      { address: 'fe80::1%eth0', family: 'IPv6' as const },
    ].map((each) => ({ ...each, netmask: '', mac: '', internal: false, cidr: null, scopeid: 0 })) as NetworkInterfaceInfo[],
  });
  const isOwn = (address: string) => isOwnAddress(address, interfaces);
  const addresses = ['93.184.216.34', '::ffff:93.184.216.34', '2606:4700::1111', '93.184.216.35', '2606:4700::1112', 'x'];
  expect(addresses.map(isOwn)).toEqual([true, true, true, false, false, false]);
  expect(isOwnAddress('127.0.0.1')).toBe(true);
});
