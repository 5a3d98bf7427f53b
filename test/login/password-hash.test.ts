import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { openLoginWorld } from './world.ts';

test('a password’s argon2id tag is stored, and lets its owner sign in', async () => {
  const world = await openLoginWorld({}, undefined, { argon2id: undefined });
  const client = await world.newClient();
  const form = createFormClient(world.baseUrl);
  const fields = { email: 'ada@mail.example', password: 'correct horse battery' };
  await signUpByForms(world, form, fields.email, fields.password, client);
  const page = await form.get(world.authorizeUrl(client));
  expect((await form.send(page, '/authorize/sign-in', fields)).status).toBe(200);

  const stored = /\$argon2id\$v=19\$m=19456,t=2,p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})/.exec(
    await world.server.place.storedText(),
  );
  const [, salt = '', tag] = stored ?? [];
  const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
  const computed = argon2Sync('argon2id', { message: fields.password, nonce: Buffer.from(salt, 'base64'), ...cost });
  expect(computed.toString('base64').replace('=', '')).toBe(tag);
  await world.stop();
});
