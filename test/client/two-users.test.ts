/** Two users of one device: one user's changes are never sent, stored or shown as the other's. */
import {
  createAuth,
  createClient,
  defineMutators,
  memoryStorage,
  offlineCache,
  openQueue,
  type TextStorage,
} from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type LoginClient, type LoginWorld, openLoginWorld } from '../login/world.ts';
import { authOptionsOf, near, newPerson, type Person } from './people.ts';
import { outOfReach } from './world.ts';

interface Save {
  gold: number;
}

let world: LoginWorld;
let client: LoginClient;
let [ada, eve]: Person[] = [];
beforeAll(async () => {
  world = await openLoginWorld();
  client = await world.newClient();
  [ada, eve] = [await newPerson(world, client), await newPerson(world, client)];
});
afterAll(() => world.stop());

const mutators = defineMutators({
  addGold: (draft: Save, n: number) => {
    draft.gold += n;
  },
});

/** A device with a storage, a signed-in user, and a network that can block state requests and delay responses. */
function openDevice(storage = memoryStorage()) {
  const network = { isDown: false, hold: undefined as ((url: string) => Promise<unknown> | undefined) | undefined };
  let visitor: Person | undefined;
  const reach: typeof fetch = async (input, init) => {
    if (network.isDown && String(input).includes('-state/')) throw new TypeError('no network');
    const response = await fetch(input, init);
    await network.hold?.(String(input));
    return response;
  };
  const auth = createAuth(authOptionsOf(world, client, { storage, fetch: reach, openUrl: (url) => visitor?.openUrl(url) }));
  const [accountId = '', project = ''] = client.clientId.split('.');
  const { userState } = createClient<{ userState: Save }>({
    baseUrl: near(world.baseUrl),
    accountId,
    project,
    environment: 'production',
    auth,
    fetch: reach,
    cache: offlineCache({ storage }),
  });
  return {
    network,
    auth,
    userState,
    storage,
    async signIn(person: Person | undefined) {
      visitor = person;
      await auth.signIn();
      await auth.handleRedirect(person?.returned);
    },
    openQueue(more = {}) {
      const queue = openQueue(userState, mutators, { name: 'save', storage, initial: { gold: 0 }, ...more });
      onTestFinished(() => queue.close());
      return queue;
    },
  };
}

/** A person's saved gold, read on another device. */
async function goldOf(person: Person | undefined): Promise<number | undefined> {
  const device = openDevice();
  await device.signIn(person);
  return (await device.userState.get())?.state.gold;
}

/** A storage with its content by name. */
function watchedStorage(): { readonly texts: Map<string, string>; readonly storage: TextStorage } {
  const texts = new Map<string, string>();
  const storage: TextStorage = {
    get: (name) => texts.get(name),
    set: (name, text) => void texts.set(name, text),
    delete: (name) => void texts.delete(name),
  };
  return { texts, storage };
}
const cachedIn = (texts: Map<string, string>) => [...texts.keys()].filter((name) => name.startsWith('holdfast:cache:'));

describe('a change', () => {
  test('that waits is sent for its author, even if another player is signed in by then', async () => {
    const before = { ada: (await goldOf(ada)) ?? 0, eve: await goldOf(eve) };
    const device = openDevice();
    await device.signIn(ada);
    const queue = device.openQueue();
    device.network.isDown = true;
    await queue.run.addGold(5);
    await device.auth.signOut();
    await expect(queue.run.addGold(7)).rejects.toMatchObject({ code: 'signed_out' });
    await device.signIn(eve);
    expect([await queue.pending(), await queue.list(), await queue.preview({ gold: 1 })]).toEqual([0, [], { gold: 1 }]);
    device.network.isDown = false;
    await queue.flush();
    expect(await goldOf(eve)).toBe(before.eve);
    await device.signIn(ada);
    await expect.poll(() => queue.pending()).toBe(0);
    expect([await goldOf(ada), await goldOf(eve)]).toEqual([before.ada + 5, before.eve]);
  });

  test('that is repeated never uses another player’s token', async () => {
    const device = openDevice();
    await device.signIn(ada);
    await device.userState.get();
    const before = await goldOf(eve);
    device.network.isDown = true;
    const change = device.userState.update(() => ({ gold: 1_000_000 }));
    const refused = expect(change).rejects.toMatchObject({ code: 'signed_out', status: 0 });
    await device.signIn(eve);
    device.network.isDown = false;
    await refused;
    expect(await goldOf(eve)).toBe(before);
  });

  test('that waits behind another one keeps its author', async () => {
    const device = openDevice();
    await device.signIn(ada);
    let release = (): void => {};
    const first = device.userState.update(async (draft) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return draft;
    });
    const second = device.userState.update(() => ({ gold: 2_000_000 }));
    const refused = expect(second).rejects.toMatchObject({ code: 'signed_out' });
    await expect.poll(() => release.name).not.toBe('release');
    await device.signIn(eve);
    release();
    await first.catch(() => {});
    await refused;
    expect(await goldOf(eve)).not.toBe(2_000_000);
  });

  test('from version 0.1.0 names no owner: it is kept and never sent, unless the app names one', async () => {
    const before = (await goldOf(eve)) ?? 0;
    const { texts, storage } = watchedStorage();
    const device = openDevice(storage);
    await device.signIn(eve);
    const old = JSON.stringify([
      { id: 'a', name: 'addGold', args: [3] },
      { id: 'b', name: 'addGold', args: [4] },
    ]);
    texts.set('holdfast:queue:save', old);
    const queue = device.openQueue();
    await queue.run.addGold(1);
    await expect.poll(() => queue.pending()).toBe(0);
    expect([await goldOf(eve), texts.get('holdfast:queue:save')]).toEqual([before + 1, old]);
    const knowing = device.openQueue({ adoptOld: true });
    await knowing.flush();
    expect([await knowing.pending(), await goldOf(eve), texts.has('holdfast:queue:save')]).toEqual([0, before + 8, false]);
    const again = device.openQueue({ adoptOld: true });
    await again.flush();
    expect(await goldOf(eve)).toBe(before + 8);
  });
});

test('a tab unaware of a new sign-in acts for the earlier player, or for nobody', async () => {
  const storage = memoryStorage();
  const tab = openDevice(storage);
  await tab.signIn(ada);
  const other = openDevice(storage);
  await other.signIn(eve);
  await other.userState.update(() => ({ gold: 31 }));
  await tab.userState.update(() => ({ gold: 32 }));
  expect([await goldOf(ada), await goldOf(eve)]).toEqual([32, 31]);
  const queue = tab.openQueue();
  tab.network.isDown = true;
  await queue.run.addGold(1);
  // The token of its user is refused, and it finds the other user's token.
  await tab.auth.renew(await tab.auth.authorization());
  expect(tab.auth.user?.email).toBe(eve?.address);
  tab.network.isDown = false;
  await queue.flush();
  expect([await goldOf(ada), await goldOf(eve)]).toEqual([32, 31]);
  await tab.signIn(ada);
  await expect.poll(() => goldOf(ada)).toBe(33);
});

describe('signing out', () => {
  test('leaves nothing of a read in progress: no result, cache entry or event', async () => {
    const { texts, storage } = watchedStorage();
    const device = openDevice(storage);
    await device.signIn(ada);
    await device.userState.update(() => ({ gold: 5 }));
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const seen: unknown[] = [];
    device.network.hold = (url) => (url.includes('user-state') ? held : undefined);
    onTestFinished(device.userState.subscribe((snapshot) => !snapshot.stale && seen.push(snapshot)));
    const read = device.userState.get();
    const refused = expect(read).rejects.toMatchObject({ code: 'signed_out' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await device.auth.signOut();
    release();
    await refused;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect([seen, cachedIn(texts)]).toEqual([[], []]);
  });

  test('removes what earlier pages cached', async () => {
    const { texts, storage } = watchedStorage();
    const earlier = openDevice(storage);
    await earlier.signIn(ada);
    await earlier.userState.get();
    const place = cachedIn(texts)[0] ?? '';
    expect(place).toContain('/user-state/production');
    const page = openDevice(storage);
    await page.auth.ready;
    await page.auth.signOut();
    expect(cachedIn(texts)).toEqual([]);
  });

  test('leaves nothing for the first frame, here or on the next page, or for the next player', async () => {
    const storage = memoryStorage();
    const device = openDevice(storage);
    await device.signIn(ada);
    await device.userState.update(() => ({ gold: 6 }));
    await device.userState.get();
    const page = openDevice(storage);
    expect(page.auth.user?.email).toBe(ada?.address); // immediately, since the storage is synchronous
    expect(page.userState.current()).toMatchObject({ state: { gold: 6 }, stale: true });
    const seen: unknown[] = [];
    onTestFinished(page.userState.subscribe((snapshot) => seen.push(snapshot.state)));
    await page.auth.signOut();
    expect(page.userState.current()).toBeUndefined();
    seen.length = 0;
    const next = openDevice(storage);
    expect([next.auth.user, next.userState.current()]).toEqual([null, undefined]);
    await page.signIn(eve);
    expect(page.userState.current()).toBeUndefined();
    await page.userState.update(() => ({ gold: 8 }));
    await expect.poll(() => seen.at(-1)).toEqual({ gold: 8 });
    expect(seen).not.toContainEqual({ gold: 6 });
  });

  test('while the tokens are renewed ends the sign-in for good', async () => {
    const device = openDevice();
    await device.signIn(ada);
    let release = (): void => {};
    device.network.hold = (url) =>
      url.endsWith('/v1/auth/token')
        ? new Promise<void>((resolve) => {
            release = resolve;
          })
        : undefined;
    const renewal = device.auth.renew(await device.auth.authorization());
    await expect.poll(() => release.name).not.toBe('release');
    await device.auth.signOut();
    release();
    expect(await renewal).toBe(false);
    expect(device.auth.user).toBeNull();
    await expect(device.auth.accessToken()).rejects.toMatchObject({ code: 'signed_out' });
  });
});

test('cached documents of one player are not shown to the next', async () => {
  const storage = memoryStorage();
  const device = openDevice(storage);
  await device.signIn(ada);
  await device.userState.update(() => ({ gold: 77 }));
  await device.signIn(eve);
  device.network.isDown = true;
  await expect(device.userState.get({ timeoutMs: 300 })).rejects.toMatchObject(outOfReach);
  const seen: unknown[] = [];
  const end = device.userState.subscribe((snapshot) => seen.push(snapshot));
  await new Promise((resolve) => setTimeout(resolve, 300));
  end();
  expect(seen).toEqual([]);
});

/** Errors that reach the runtime's global handler. */
function globalFailures(): unknown[] {
  const failures: unknown[] = [];
  const scope = globalThis as { reportError?: unknown };
  scope.reportError = (error: unknown) => failures.push(error);
  onTestFinished(() => {
    delete scope.reportError;
  });
  return failures;
}

test('a listener that throws stops neither the others nor signing out, and its exception is reported', async () => {
  const failures = globalFailures();
  const device = openDevice();
  await device.signIn(ada);
  const told: string[] = [];
  const throwing = (name: string) => (): never => {
    told.push(name);
    throw new Error(name);
  };
  onTestFinished(device.userState.subscribe(throwing('first listener')));
  onTestFinished(device.userState.subscribe(() => told.push('second listener')));
  await expect.poll(() => told).toEqual(['first listener', 'second listener']);
  device.auth.onChange(throwing('first change'));
  device.auth.onChange((user) => told.push(user === null ? 'signed out' : 'signed in'));
  await device.auth.signOut();
  expect(told.slice(2)).toEqual(['first change', 'signed out']);
  expect(failures).toEqual([new Error('first listener'), new Error('first change')]);
});

test('the streams of a page belong to the signed-in player', async () => {
  const device = openDevice();
  await device.signIn(ada);
  await device.userState.update(() => ({ gold: 11 }));
  const seen: (number | undefined)[] = [];
  onTestFinished(device.userState.subscribe(({ state }) => seen.push(state?.gold)));
  await expect.poll(() => seen.at(-1)).toBe(11);
  await device.signIn(eve);
  await device.userState.update(() => ({ gold: 22 }));
  await expect.poll(() => seen.at(-1)).toBe(22);
  const other = openDevice();
  await other.signIn(ada);
  await other.userState.update(() => ({ gold: 12 }));
  await device.userState.update(() => ({ gold: 23 }));
  await expect.poll(() => seen.at(-1)).toBe(23);
  expect(seen).not.toContain(12);
});
