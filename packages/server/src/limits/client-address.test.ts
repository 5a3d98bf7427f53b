import { BlockList } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clientName, networkName } from './client-address.ts';

const proxies = new BlockList();
proxies.addSubnet('10.0.0.0', 8, 'ipv4');
proxies.addAddress('::1', 'ipv6');

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8:1:ff00::1', '2001:db8:1::/48'],
  ['2001:db8::6', '2001:db8:0::/48'],
])('%s belongs to the network %s', (address, network) => {
  expect(networkName(clientName(address, undefined, undefined))).toBe(network);
});

describe('clientName', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is counted as %s', (address, name) => {
    expect(clientName(address, undefined, undefined)).toBe(name);
  });

  test.each([
    ['a header without a trusted proxy is ignored', '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['the nearest trusted proxy is used', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['an address written by the client is ignored', '10.0.0.1', '198.51.100.7, 203.0.113.9', '203.0.113.9'],
    ['a chain of trusted proxies is followed', '10.0.0.1', '203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['a malformed hop ends the chain', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['IPv6 proxies and clients are recognised', '::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ])('%s', (_name, peer, forwardedFor, name) => {
    expect(clientName(peer, forwardedFor, proxies)).toBe(name);
  });

  test('without trusted proxies no header is read', () => {
    expect(clientName('10.0.0.1', '203.0.113.9', undefined)).toBe('10.0.0.1');
  });
});
