/** Providers that never answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUnhindered } from '../../../../../../tooling/readings.ts';
import { type FederationWorld, openFederationWorld, returnQuery } from './federation.fixture.ts';

const issuer = 'https://issuer.example';
let world: FederationWorld;

beforeAll(async () => {
  world = await openFederationWorld();
});
afterAll(() => world.stop());

describe('a provider', () => {
  it('that never answers is given 5 s', async () => {
    world.issue(issuer, () => ({}));
    await world.configure('oidc.company', { issuer, name: 'Company' }, 'the secret');
    const begun = await world.begin('oidc.company');
    world.upstream.answers.set(`${issuer}/token`, () => ({ status: 200, body: undefined }));
    const [began, elapsed] = [performance.now(), startUnhindered('self')];
    expect(await world.finish(begun)).toEqual({ kind: 'refused', returnQuery, reason: 'unavailable' });
    expect(performance.now() - began).toBeGreaterThan(4_500);
    expect(elapsed()).toBeLessThan(15_000);
  });
});
