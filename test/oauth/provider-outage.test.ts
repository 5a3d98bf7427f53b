import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newIssuerKey, signIdToken } from '../../tooling/loopback-issuer.ts';
import { openWorld, returned, tokensOf, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

describe('while the identity provider’s keys are unavailable', () => {
  it('sign-in is access_denied by redirect, refreshes work, and sign-in recovers afterwards', async () => {
    const { refresh_token } = await world.newTokens();
    world.pass(600_000);
    world.provider.disturb = (_, response) => Boolean(response.writeHead(503).end());
    const denied = returned(await world.complete(await world.callbackForm()));
    expect(denied).toMatchObject({ error: 'access_denied', error_description: 'the identity provider is unavailable' });
    tokensOf(await world.refresh(refresh_token));

    world.provider.disturb = () => false;
    world.pass(1_000);
    await world.newTokens();
  });

  it('sign-in works with keys cached nine minutes ago', async () => {
    await world.newTokens();
    world.provider.disturb = (_, response) => Boolean(response.destroy());
    world.pass(540_000);
    await world.newTokens();
    world.provider.disturb = () => false;
  });
});

describe('a new key of the identity provider', () => {
  it('is found within five seconds, and invented key ids cause few requests', async () => {
    await world.newTokens();
    world.pass(5_000);
    const before = world.provider.asked.jwks;
    const stranger = await newIssuerKey('ES256', 'invented');
    for (let i = 0; i < 20; i++) {
      const idToken = await signIdToken(stranger, { sub: 'eve' }, { kid: `invented-${i}` });
      const parameters = returned(await world.complete(await world.callbackForm({ idp_id_token: idToken })));
      expect(parameters).toMatchObject({ error: 'access_denied' });
    }
    expect(world.provider.asked.jwks - before).toBe(1);

    const rotated = await newIssuerKey('ES256', 'rotated');
    world.provider.keys.push(rotated.publicJwk);
    const idToken = await signIdToken(rotated, decodeJwt(await world.idToken()));
    const form = await world.callbackForm({ idp_id_token: idToken });
    expect(returned(await world.complete(form))).toMatchObject({ error: 'access_denied' });
    world.pass(5_000);
    expect(returned(await world.complete(form)).code).toBeDefined();
  });
});
