import { expect, it } from 'vitest';
import { createSend } from './send.ts';

/** Returns a function that sends a request and says which addresses it refused. */
function open({ isLocal }: { readonly isLocal: boolean }) {
  let isRefused = (_address: string): boolean => false;
  const send = createSend({
    postTo: (refuses) => async () => {
      isRefused = refuses;
      return { status: 204, headers: [] };
    },
    isLocal: () => isLocal,
    isPrivate: (address) => address.startsWith('10.') || address === '127.0.0.1' || address.startsWith('fd'),
  });
  const refused = async (url: string, networks: readonly string[], addresses: readonly string[]) => {
    await send(new URL(url), { headers: {}, body: '{}', signal: AbortSignal.timeout(1_000) }, networks);
    return addresses.filter((address) => isRefused(address));
  };
  return { refused };
}

it('https: goes to public addresses and opened networks only', async () => {
  const { refused } = open({ isLocal: true });
  const addresses = ['8.8.8.8', '10.1.2.3', '10.9.0.1', '127.0.0.1', 'fd00::1', 'fd99::1'];
  expect(await refused('https://x.test/', [], addresses)).toEqual(addresses.slice(1));
  expect(await refused('https://x.test/', ['10.1.0.0/16', 'fd00::/16'], addresses)).toEqual([
    '10.9.0.1',
    '127.0.0.1',
    'fd99::1',
  ]);
});

it('http: goes to this machine only, and only from a service for this machine', async () => {
  const { refused } = open({ isLocal: true });
  expect(await refused('http://localhost/', ['10.0.0.0/8'], ['127.0.0.1', '10.1.2.3', '8.8.8.8'])).toEqual([
    '10.1.2.3',
    '8.8.8.8',
  ]);
  await expect(open({ isLocal: false }).refused('http://localhost/', [], [])).rejects.toThrow('this machine only');
});
