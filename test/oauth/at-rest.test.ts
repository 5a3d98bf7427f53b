import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, tokensOf, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

it('no working code or token can be read from the database', async () => {
  const idToken = await world.idToken({ sub: 'somebody-to-be-found' });
  const unspent = await world.newCode({ idp_id_token: idToken });
  const code = await world.newCode({ idp_id_token: idToken });
  const first = tokensOf(await world.redeem(code));
  const second = tokensOf(await world.refresh(first.refresh_token));

  const text = await world.server.place.storedText();
  expect(text).toContain('somebody-to-be-found'); // shows that the sign-ins were read
  const secrets = [first, second].flatMap(({ refresh_token, access_token }) => [
    refresh_token.split('.')[1] as string,
    access_token.split('.')[2] as string,
  ]);
  const found = [unspent, code, idToken.split('.')[2] as string, ...secrets].filter((secret) => text.includes(secret));
  expect(found).toEqual([]);
});
