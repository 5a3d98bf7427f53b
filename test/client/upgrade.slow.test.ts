/** Guests who sign up with the client: linked, in use, merged, and with a crash at every step. */
import { createClient, type Merged, type MergeFailure, memoryStorage, type TextStorage } from '@holdfast/client';
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
  readonly at?: SignInProject;
}

let people = 0;
const somebody = () => `signed-up-${++people}`;

/** Opens the game on a device. `enter` signs an identity in at the login page and returns to the game. */
function open({ storage, fetch: given = fetch, merge, at = project }: Device) {
  const merged: Merged[] = [];
  const failed: MergeFailure[] = [];
  let opened = '';
  const client = createClient<{ userState: Coins }>({
    baseUrl: world.server.baseUrl,
    accountId: at.developer.accountId,
    project: at.slug,
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
      onMergeFailed: (one) => failed.push(one),
      ...(merge && { merge }),
    },
  });
  const earn = (coins = 1) =>
    client.userState.update((draft) => ({ coins: draft.coins + coins }), { initial: { coins: 0 } });
  const enter = async (subject: string) => {
    await client.auth.upgrade();
    const query = Object.fromEntries(new URL(opened).searchParams);
    const firebase = { tenant: at.tenantId, sign_in_provider: 'password' };
    const idToken = await world.idToken({ sub: subject, firebase });
    const form = await world.callbackForm({ client_id: at.clientId, ...query, idp_id_token: idToken });
    const answer = await world.complete(form);
    return client.auth.handleRedirect(String(answer.headers.location));
  };
  return { client, earn, enter, merged, failed };
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

  test('is merged without a loss of digits in the numbers of both saves', async () => {
    const subject = somebody();
    const played = (score: bigint) => () => ({ coins: 1, score }) as unknown as Coins;
    const first = open({ storage: memoryStorage() });
    await first.client.userState.update(played(12345678901234567890n), { initial: { coins: 0 } });
    await first.enter(subject);
    const merge = (guest: unknown, existing: unknown) => ({
      coins: 2,
      best: [existing],
      last: (guest as { score: number }).score,
    });
    const second = open({ storage: memoryStorage(), merge });
    await second.client.userState.update(played(98765432109876543210n), { initial: { coins: 0 } });
    await second.enter(subject);
    const response = await fetch(`${world.server.baseUrl}${project.path}/user-state/production`, {
      headers: { Authorization: `Bearer ${await second.client.auth.accessToken()}` },
    });
    expect(await response.text()).toContain(
      '"state":{"coins":2,"best":[{"coins":1,"score":12345678901234567890}],"last":98765432109876543210}',
    );
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

describe('a refused merge', () => {
  const most = 100;
  const capped = (guest: unknown, existing: unknown) => ({
    coins: (existing as Coins).coins + Math.min((guest as Coins).coins, most),
  });
  let at: SignInProject;
  beforeAll(async () => {
    at = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const schema = { properties: { coins: { type: 'integer', 'x-increase-max': most, 'x-decrease-max': 0 } } };
    const put = await world.server.call('PUT', `${at.path}/schemas/production/user-state`, {
      headers: { ...at.developer.bearer, 'If-None-Match': '*' },
      body: { mode: 'enforce', schema },
    });
    expect(put.status, put.text).toBe(200);
  });

  /** A player with 5 coins, and a guest with 150 on a device whose game has this merge function. */
  async function withTwoSaves(merge?: Device['merge']) {
    const subject = somebody();
    const first = open({ storage: memoryStorage(), at });
    await first.earn(5);
    const playerId = (await first.enter(subject))?.user.id;
    const requests: string[] = [];
    const device: Device = {
      at,
      storage: memoryStorage(),
      fetch: (input, init) => {
        requests.push(String(input));
        return fetch(input, init);
      },
      ...(merge && { merge }),
    };
    const second = open(device);
    await second.earn(100);
    await second.earn(50);
    const guestId = second.client.auth.user?.id;
    const merges = () => requests.filter((url) => url.endsWith('/me/merge')).length;
    return { second, subject, playerId, device, guestId, merges };
  }

  const both = { guest: { version: 2, state: { coins: 150 } }, existing: { version: 1, state: { coins: 5 } } };
  const violations = [{ path: '/coins', keyword: 'x-increase-max' }];

  test('reports the refusal and both saves. Each page tries once, and reports it again', async () => {
    const { second, subject, playerId, device, merges } = await withTwoSaves(addCoins);
    expect(await second.enter(subject)).toMatchObject({ link: 'in_use', user: { id: playerId } });
    expect(second.failed).toMatchObject([
      { ...both, error: { code: 'validation_error', status: 400, violations }, state: { coins: 155 } },
    ]);
    expect(second.merged).toEqual([]);
    expect((await second.client.userState.get())?.state).toEqual({ coins: 5 });
    expect(merges()).toBe(1);
    const again = open(device);
    await again.client.auth.ready;
    await expect(again.client.auth.finishMerge()).rejects.toMatchObject({ violations });
    expect(merges()).toBe(2);
    await expect.poll(() => again.failed).toMatchObject([{ ...both, error: { violations } }]);
  });

  test('succeeds with another function, and the guest’s save is in the history', async () => {
    const { second, subject, playerId, merges } = await withTwoSaves(addCoins);
    await second.enter(subject);
    expect(await second.client.auth.finishMerge((_, existing) => existing)).toMatchObject({ state: { coins: 5 } });
    expect(merges()).toBe(2);
    expect(second.merged).toMatchObject([{ ...both, state: { coins: 5 } }]);
    expect(await second.client.userState.get()).toMatchObject({ version: 3, state: { coins: 5 } });
    const guests = await world.server.call('GET', `${at.path}/user-states/production/${playerId}/versions/2`, {
      headers: at.developer.bearer,
    });
    expect(guests.json).toMatchObject({ version: 2, state: { coins: 150 } });
  });

  test('succeeds on the next page of a game that has been mended', async () => {
    const { second, subject, device } = await withTwoSaves(addCoins);
    await second.enter(subject);
    const mended = open({ ...device, merge: capped });
    await mended.client.auth.ready;
    await mended.client.auth.finishMerge();
    expect((await mended.client.userState.get())?.state).toEqual({ coins: 105 });
    expect(mended.failed).toEqual([]);
  });

  test('is forgotten if the guest signs up as another player after an interruption', async () => {
    const { second, subject, device, guestId } = await withTwoSaves(capped);
    let isCut = true;
    const cut = open({
      ...device,
      fetch: (input, init) => {
        if (isCut && String(input).endsWith('/me/merge')) return Promise.reject(new TypeError('no connection'));
        return fetch(input, init);
      },
    });
    await cut.enter(subject);
    expect([...cut.failed, ...cut.merged]).toEqual([]);
    await cut.client.auth.signOut();
    isCut = false;
    expect(await cut.enter(somebody())).toMatchObject({ link: 'linked', user: { id: guestId } });
    expect([...cut.failed, ...cut.merged, ...second.merged]).toEqual([]);
    expect((await cut.client.userState.get())?.state).toEqual({ coins: 150 });
  });

  test('reports a function of the game that throws or returns nothing', async () => {
    const mistake = new Error('a mistake');
    const { second, subject, device, merges } = await withTwoSaves(() => {
      throw mistake;
    });
    await second.enter(subject);
    expect(second.failed).toEqual([{ ...both, error: mistake, state: undefined }]);
    const forgetful = open({ ...device, merge: () => undefined });
    await forgetful.client.auth.ready;
    await expect.poll(() => forgetful.failed).toMatchObject([{ ...both, error: { code: 'invalid_state' } }]);
    expect(merges()).toBe(0);
  });

  test('leaves the guest to whoever plays after a sign-out, and a later sign-up keeps the save', async () => {
    const { second, subject, guestId } = await withTwoSaves(addCoins);
    await second.enter(subject);
    await second.client.auth.signOut();
    expect(await second.client.userState.get()).toMatchObject({ state: { coins: 150 } });
    expect(second.client.auth.user?.id).toBe(guestId);
    expect(await second.enter(somebody())).toMatchObject({ link: 'linked', user: { id: guestId } });
    expect((await second.client.userState.get())?.state).toEqual({ coins: 150 });
    expect(second.merged).toEqual([]);
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
