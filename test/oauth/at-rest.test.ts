import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, tokensOf, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** Everything in the data directory, as one text. */
function stored(): string {
  const files = readdirSync(world.server.dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

it('no code and no token that works can be read from the data directory', async () => {
  const idToken = await world.idToken({ sub: 'somebody-to-be-found' });
  const unspent = await world.newCode({ idp_id_token: idToken });
  const code = await world.newCode({ idp_id_token: idToken });
  const first = tokensOf(await world.redeem(code));
  const second = tokensOf(await world.refresh(first.refresh_token));

  const text = stored();
  expect(text).toContain('somebody-to-be-found'); // so the sign-ins are among what is read
  const secrets = [first, second].flatMap(({ refresh_token, access_token }) => [
    refresh_token.split('.')[1] as string,
    access_token.split('.')[2] as string,
  ]);
  const found = [unspent, code, idToken.split('.')[2] as string, ...secrets].filter((secret) => text.includes(secret));
  expect(found).toEqual([]);
});
