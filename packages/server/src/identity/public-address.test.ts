import { describe, expect, it } from 'vitest';
import { isPrivateAddress, namesPrivateAddress } from './public-address.ts';

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
