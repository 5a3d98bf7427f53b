/** The programs in docs/feature-flags.md run unchanged, with unmodified OpenFeature providers against the service. */
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, type Provider, ProviderEvents } from '@openfeature/web-sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { documentOfPage, type FlagsWorld, openFlagsWorld } from './programs.fixture.ts';

let world: FlagsWorld;
beforeAll(async () => {
  world = await openFlagsWorld();
});
afterAll(() => world.stop());

test.each(['On a server'])('%s: the program prints the values of the flags', async (heading) => {
  expect(await world.run(heading)).toBe('new shop: true\ngold: 10\n');
});

describe('the web provider', () => {
  afterAll(() => OpenFeature.close());

  test('learns of a new version by polling, and gets 304 until then', async () => {
    const statuses: number[] = [];
    const provider = new OFREPWebProvider({
      baseUrl: world.environment.HOLDFAST_STATE_URL as string,
      headers: [['Authorization', `ApiKey ${world.environment.HOLDFAST_PUBLISHABLE_KEY}`]],
      pollInterval: 50,
      fetchImplementation: async (input: string | URL | Request, init?: RequestInit) => {
        const response = await fetch(input, init);
        statuses.push(response.status);
        return response;
      },
    });
    const changed = vi.fn();
    await OpenFeature.setContext({ targetingKey: 'player-7' });
    await OpenFeature.setProviderAndWait(provider as Provider); // its types allow undefined members, the SDK's do not
    const client = OpenFeature.getClient();
    client.addHandler(ProviderEvents.ConfigurationChanged, changed);
    expect(client.getNumberDetails('gold-per-win', 5)).toMatchObject({ value: 10, variant: 'normal', reason: 'STATIC' });
    expect(client.getNumberDetails('none', 5)).toMatchObject({ value: 5, errorCode: 'FLAG_NOT_FOUND' });
    await vi.waitFor(() => expect(statuses).toContain(304), { timeout: 60_000 });

    const flags = { ...documentOfPage.flags, bad: { state: 'ENABLED', variants: {}, targeting: { iff: [] } } };
    flags['gold-per-win'] = { ...flags['gold-per-win'], defaultVariant: 'event' };
    await world.write(2, { ...documentOfPage, flags });
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 60_000 });
    expect(client.getNumberValue('gold-per-win', 5)).toBe(25);
    expect(client.getBooleanDetails('bad', true)).toMatchObject({ value: true, errorCode: 'PARSE_ERROR' });
  });
});
