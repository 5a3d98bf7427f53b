/** Guests who sign up with the client: linked, in use, merged, and with a crash at every step. */
import { createClient, type Merged, memoryStorage, type TextStorage } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appUri, openWorld, type SignInProject, type World } from '../oauth/world.ts';

let world: World;
let project: SignInProject;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_GUESTS_PER_HOUR: '0' } });
  project = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
});
afterAll(() => world.stop());

interface Coins {
  readonly coins: number;
}

interface Device {
  readonly storage: TextStorage;
  readonly fetch?: typeof fetch;
  readonly merge?: (guest: unknown, existing: unknown) => unknown;
}

let people = 0;
const somebody = () => `signed-up-${++people}`;

/** Opens the game on a device. `enter` signs an identity in at the login page and returns to the game. */
function open({ storage, fetch: given = fetch, merge }: Device) {
  const merged: Merged[] = [];
  let opened = '';
  const client = createClient<{ userState: Coins }>({
    baseUrl: world.server.baseUrl,
    accountId: project.developer.accountId,
    project: project.slug,
    environment: 'production',
    fetch: given,
    auth: {
      guest: true,
      redirectUri: appUri,
      storage,
      openUrl: (url) => {
        opened = url;
      },
      onMerged: (one) => merged.push(one),
      ...(merge && { merge }),
    },
  });
  const earn = (coins = 1) =>
    client.userState.update((draft) => ({ coins: draft.coins + coins }), { initial: { coins: 0 } });
  const enter = async (subject: string) => {
    await client.auth.upgrade();
    const query = Object.fromEntries(new URL(opened).searchParams);
    const firebase = { tenant: project.tenantId, sign_in_provider: 'password' };
    const idToken = await world.idToken({ sub: subject, firebase });
    const form = await world.callbackForm({ client_id: project.clientId, ...query, idp_id_token: idToken });
    const answer = await world.complete(form);
    return client.auth.handleRedirect(String(answer.headers.location));
  };
  return { client, earn, enter, merged };
}

const addCoins = (guest: unknown, existing: unknown) => ({ coins: (guest as Coins).coins + (existing as Coins).coins });

describe('a guest who upgrades', () => {
  test('keeps id and save, and the device key is deleted', async () => {
    const storage = memoryStorage();
    const first = open({ storage });
    await first.earn(5);
    const id = first.client.auth.user?.id;
    expect(first.client.auth.isGuest).toBe(true);
    const signedIn = await first.enter(somebody());
    expect(signedIn).toMatchObject({ user: { id }, link: 'linked' });
    expect(first.client.auth.isGuest).toBe(false);
    expect((await first.client.userState.get())?.state).toEqual({ coins: 5 });
    const key = `holdfast:guest:${world.server.baseUrl}:${project.clientId}`;
    expect(await storage.get(key)).toBeUndefined();
    const again = open({ storage });
    expect((await again.earn()).state).toEqual({ coins: 6 });
    expect(again.client.auth.user?.id).toBe(id);
  });

  test('is the same player after a sign-in on another device without a guest save', async () => {
    const subject = somebody();
    const first = open({ storage: memoryStorage() });
    await first.earn(5);
    await first.enter(subject);
    const second = open({ storage: memoryStorage() });
    const signedIn = await second.enter(subject);
    expect(signedIn?.link).toBeUndefined();
    expect((await second.client.userState.get())?.state).toEqual({ coins: 5 });
    await second.client.auth.signOut();
    expect((await second.earn()).state).toEqual({ coins: 1 });
    expect(second.client.auth.user?.id).not.toBe(first.client.auth.user?.id);
  });

  test('with an identity in use is merged by the game’s rules, and onMerged is called', async () => {
    const subject = somebody();
    const first = open({ storage: memoryStorage() });
    await first.earn(5);
    await first.enter(subject);
    const second = open({ storage: memoryStorage(), merge: addCoins });
    await second.earn(2);
    expect(await second.enter(subject)).toMatchObject({ link: 'in_use' });
    expect((await second.client.userState.get())?.state).toEqual({ coins: 7 });
    expect(second.merged).toEqual([
      { guest: { version: 1, state: { coins: 2 } }, existing: { version: 1, state: { coins: 5 } }, state: { coins: 7 } },
    ]);
    expect((await first.client.userState.get())?.state).toEqual({ coins: 7 });
  });

  test('keeps the existing save if the game has no rules, and calls onMerged', async () => {
    const subject = somebody();
    const first = open({ storage: memoryStorage() });
    await first.earn(5);
    await first.enter(subject);
    const second = open({ storage: memoryStorage() });
    await second.earn(2);
    await second.enter(subject);
    expect(await second.client.userState.get()).toMatchObject({ version: 3, state: { coins: 5 } });
    expect(second.merged).toMatchObject([{ guest: { state: { coins: 2 } }, state: { coins: 5 } }]);
  });
});

/** A device that crashes at a step: from then on it does not store, send or receive anything. */
function dying(storage: TextStorage, stepsLeft: number): Device & { readonly isDead: () => boolean } {
  let left = stepsLeft;
  const step = () => {
    if (left-- <= 0) throw new TypeError('the device is dead');
  };
  return {
    storage: {
      async get(name) {
        step();
        return storage.get(name);
      },
      async set(name, text) {
        step();
        await storage.set(name, text);
        step();
      },
      async delete(name) {
        step();
        await storage.delete(name);
        step();
      },
    },
    fetch: async (input, init) => {
      step();
      const response = await fetch(input, init);
      step();
      return response;
    },
    merge: addCoins,
    isDead: () => left < 0,
  };
}

describe('a device killed', () => {
  test.each(['linked', 'in_use'])(
    'at any step of an upgrade that is %s loses nothing, and counts nothing twice',
    async (link) => {
      for (let steps = 4; ; steps++) {
        const subject = somebody();
        if (link === 'in_use') {
          const first = open({ storage: memoryStorage() });
          await first.earn(5);
          await first.enter(subject);
        }
        const storage = memoryStorage();
        await open({ storage }).earn(2);
        const device = dying(storage, steps);
        // Calls on a crashed device fail or never settle.
        await Promise.race([
          open(device)
            .enter(subject)
            .catch(() => null),
          new Promise((done) => setTimeout(done, 1_500)),
        ]);
        const wasKilled = device.isDead();

        const restarted = open({ storage, merge: addCoins });
        await restarted.client.auth.ready;
        if (restarted.client.auth.isGuest) await restarted.enter(subject);
        await restarted.client.auth.finishMerge();
        const expected = link === 'in_use' ? 7 : 2;
        expect((await restarted.client.userState.get())?.state, `killed at step ${steps}`).toEqual({ coins: expected });
        if (!wasKilled) break;
      }
    },
    120_000,
  );
});
