/** Providers that never answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FederationWorld, openFederationWorld, returnQuery } from './federation.fixture.ts';

const issuer = 'https://issuer.example';
let world: FederationWorld;

beforeAll(async () => {
  world = await openFederationWorld();
});
afterAll(() => world.stop());

describe('a provider', () => {
  it('that never answers is given 5 s', { timeout: 20_000 }, async () => {
    world.issue(issuer, () => ({}));
    await world.configure('oidc.company', { issuer, name: 'Company' }, 'the secret');
    const begun = await world.begin('oidc.company');
    world.upstream.answers.set(`${issuer}/token`, () => ({ status: 200, body: undefined }));
    const began = performance.now();
    expect(await world.finish(begun)).toEqual({ kind: 'refused', returnQuery, reason: 'unavailable' });
    expect(performance.now() - began).toBeGreaterThan(4_500);
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});
