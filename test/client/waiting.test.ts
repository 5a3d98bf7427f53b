/** Costs of storing and sending queued changes, and waiting times of calls. */
import { createClient, memoryStorage, openQueue, type Settled } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mutators, type Save } from './waiting.fixture.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

/** A player's queue with its costs, on a network that can be switched off. */
async function openMeasured(name = 'save') {
  const project = await world.newProject();
  const cost = { requests: 0, writtenBytes: 0 };
  const network = { isDown: true };
  const reach: typeof fetch = (input, init) => {
    if (network.isDown) return Promise.reject(new TypeError('no network'));
    cost.requests++;
    return fetch(input, init);
  };
  const texts = memoryStorage();
  const storage = {
    ...texts,
    set: (name: string, text: string) => {
      cost.writtenBytes += name.length + text.length;
      return texts.set(name, text);
    },
  };
  const { userState } = await world.userClientOf<{ userState: Save }>(project, 'ada', { fetch: reach, timeoutMs: 3_000 });
  const settled: Settled[] = [];
  const queue = openQueue(userState, mutators, {
    name,
    storage,
    initial: { gold: 0 },
    onSettled: (each) => settled.push(each),
  });
  onTestFinished(() => queue.close());
  return { cost, network, userState, settled, queue };
}

describe('waiting changes', () => {
  test('are stored in proportion and sent as one patch, each with its result', async () => {
    const { cost, network, userState, settled, queue } = await openMeasured();
    const count = 300;
    for (let n = 0; n < count; n++) await (n % 3 === 0 ? queue.run.note(`${n}`) : queue.run.addGold(n));
    expect(await queue.pending()).toBe(count);
    network.isDown = false;
    await queue.flush();
    const numbers = Array.from({ length: count }, (_, n) => n);
    const gold = numbers.filter((n) => n % 3 !== 0).reduce((sum, n) => sum + n, 0);
    const log = numbers.filter((n) => n % 3 === 0).map(String);
    const requests = cost.requests;
    expect((await userState.get())?.state).toEqual({ gold, log });
    expect(settled.map(({ name, outcome, version }) => [name, outcome, version])).toEqual(
      numbers.map((n) => [n % 3 === 0 ? 'note' : 'addGold', 'applied', 1]),
    );
    expect(requests).toBeLessThanOrEqual(3);
    expect(cost.writtenBytes).toBeLessThan(count * 300);
  });

  test('are applied in order, without a refused one', async () => {
    const { cost, network, userState, settled, queue } = await openMeasured();
    for (let n = 0; n < 20; n++) {
      await queue.run.addGold(1);
      if (n === 12) await queue.run.note('x', 300_000); // a document may have 256,000 characters
      if (n === 15) await queue.run.note('y');
    }
    network.isDown = false;
    await queue.flush();
    expect((await userState.get())?.state).toEqual({ gold: 20, log: ['y'] });
    expect(settled.map(({ outcome }) => outcome)).toEqual([
      ...Array(13).fill('applied'),
      'refused',
      ...Array(8).fill('applied'),
    ]);
    expect(settled[13]).toMatchObject({ name: 'note', error: { code: 'patch_state_too_large' } });
    expect(cost.requests).toBeLessThan(30);
  });
});

describe('the view of a queue listener', () => {
  test('never goes back when the service returns before the stream does', async () => {
    const project = await world.newProject();
    const network = { isDown: false, hasStreams: true };
    const reach: typeof fetch = (input, init) => {
      if (network.isDown || (!network.hasStreams && `${input}`.includes('/changes')))
        return Promise.reject(new TypeError('no network'));
      return fetch(input, init);
    };
    const cutting = new AbortController();
    const cut: typeof fetch = async (input, init) =>
      reach(
        input,
        `${input}`.includes('/changes') && init?.signal
          ? { ...init, signal: AbortSignal.any([init.signal, cutting.signal]) }
          : init,
      );
    const { userState } = await world.userClientOf<{ userState: Save }>(project, 'ada', { fetch: cut });
    await userState.update(() => ({ gold: 11 }));
    const queue = openQueue(userState, mutators, { name: 'outage', storage: memoryStorage() });
    const seen: string[] = [];
    const plain: number[] = [];
    const end = [
      queue.subscribe(({ state, pending }) => seen.push(`${state?.gold}, ${pending} waiting`)),
      userState.subscribe(({ state }) => plain.push(state?.gold ?? 0)),
    ];
    onTestFinished(() => {
      for (const each of end) each();
      queue.close();
    });
    await expect.poll(() => seen.at(-1)).toBe('11, 0 waiting');
    Object.assign(network, { isDown: true, hasStreams: false });
    cutting.abort();
    for (let n = 0; n < 3; n++) await queue.run.addGold(1);
    await expect.poll(() => seen.at(-1)).toBe('14, 3 waiting');
    network.isDown = false;
    await queue.flush();
    await expect.poll(() => seen.at(-1)).toBe('14, 0 waiting');
    expect(seen.filter((view) => view.startsWith('11'))).toEqual(['11, 0 waiting']);
    expect(plain).toEqual([11, 14]);
  });
});

describe('a call times out', () => {
  test('while it waits for its turn, and is not carried out later', async () => {
    const client = await world.userClientOf<{ userState: Save }>(await world.newProject());
    const { promise: held, resolve: release } = Promise.withResolvers<Save>();
    const first = client.userState.update(() => held);
    const late = client.userState.update(() => ({ gold: 2 }), { timeoutMs: 100 });
    const controller = new AbortController();
    const aborted = client.userState.update(() => ({ gold: 3 }), { signal: controller.signal });
    const refused = [
      expect(late).rejects.toMatchObject({ code: 'timeout', status: 0 }),
      expect(aborted).rejects.toThrow('enough'),
    ];
    controller.abort(new Error('enough'));
    await Promise.all(refused);
    release({ gold: 1 });
    await first;
    await client.userState.update((draft) => ({ gold: draft.gold + 10 }));
    expect(await client.userState.get()).toMatchObject({ state: { gold: 11 }, version: 2 });
  });

  test('behind a change that never finishes, and so do the next ones', async () => {
    const { userState } = await world.userClientOf<{ userState: Save }>(await world.newProject());
    const stuck = userState.update(() => new Promise<Save>(() => {}), { timeoutMs: 100 });
    const next = userState.update(() => ({ gold: 2 }));
    await expect(stuck).rejects.toMatchObject({ code: 'timeout' });
    expect((await next).state).toEqual({ gold: 2 });
  });

  test('while it waits for a token', async () => {
    const { developer, slug } = await world.newProject();
    const { userState } = createClient({
      baseUrl: world.server.baseUrl,
      accountId: developer.accountId,
      project: slug,
      environment: 'production',
      auth: { accessToken: () => new Promise<string>(() => {}) },
    });
    await expect(userState.get({ timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
    await expect(userState.get({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
