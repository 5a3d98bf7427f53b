import { expect, it } from 'vitest';
import { newIssuerKey, signIdToken, startLoopbackIssuer } from '../../../../tooling/loopback-issuer.ts';
import { startUnhindered } from '../../../../tooling/readings.ts';
import { createIdTokenVerifier } from './id-token.ts';

const now = Date.UTC(2026, 2, 1, 12);

it('the keys of a provider are awaited for 5 s', async () => {
  const key = await newIssuerKey('RS256', 'first');
  const provider = await startLoopbackIssuer([key.publicJwk]);
  provider.disturb = (path, response) => path === '/jwks' && Boolean(response.write('{"keys":['));
  const { issuer } = provider;
  const verifier = createIdTokenVerifier({ issuer, audience: 'holdfast', now: () => now, onUnavailable: () => {} });
  const claims = { iss: issuer, aud: 'holdfast', sub: 'u1', iat: now / 1000, exp: now / 1000 + 3600 };
  const [began, elapsed] = [performance.now(), startUnhindered('self')];
  const outcome = await verifier.verify(await signIdToken(key, claims));
  expect(outcome).toMatchObject({ reason: 'the identity provider is unavailable' });
  expect(performance.now() - began).toBeGreaterThan(4_900);
  expect(elapsed()).toBeLessThan(15_000);
  await provider.stop();
});
