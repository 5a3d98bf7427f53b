import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPasswordWorld, type PasswordWorld } from '../passwords/passwords.fixture.ts';

let world: PasswordWorld;
beforeEach(async () => {
  world = await openPasswordWorld();
});
afterEach(async () => {
  await world.mailQueue.close();
  await world.dispose();
});

it.each([
  [59_999, ['ada@example.com']],
  [60_000, []],
])(
  'a first try that begins after %d ms sends to %j: after a minute, other nodes may try the mail',
  async (pause, sentTo) => {
    const { person } = await world.newUser('ada@example.com');
    const attempt = await world.mailQueue.add({
      mailHash: Buffer.alloc(32, 1),
      accountId: 'acc_1',
      emailKey: null,
      draft: { kind: 'reset', language: 'en', brandName: null, accountId: 'acc_1', userId: person.userId, returnQuery: '' },
      expiresAt: Date.UTC(2026, 0, 1, 1),
      charges: [],
    });
    world.pass(pause);
    await attempt?.();
    expect((await world.mails()).map(({ to }) => to)).toEqual(sentTo);
  },
);
