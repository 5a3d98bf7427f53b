/** Changes receive the document as the schema returns it, and invalid results are never sent. */
import { defineMutators, memoryStorage, openQueue, type StandardSchema } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type ClientWorld, openClientWorld } from './world.ts';

type Doc = Record<string, unknown>;

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

/** Stores a document. Returns a client with a schema, and a function that reads the stored document. */
async function openShown<State>(stored: Doc | null, publicState: StandardSchema<State>) {
  const project = await world.newProject();
  const plain = (await world.clientOf<{ publicState: Doc }>(project)).publicState;
  if (stored !== null) await plain.put(stored, { ifVersion: null });
  const sent: string[] = [];
  const client = await world.clientOf<{ publicState: State }>(project, {
    schema: { publicState },
    fetch: (input, init) => {
      sent.push(init?.method ?? 'GET');
      return fetch(input, init);
    },
  });
  return { publicState: client.publicState, sent, read: async () => (await plain.get())?.state };
}

const save = z.object({
  gold: z.coerce.number().min(0).default(10),
  at: z.coerce.date().default(() => new Date(0)),
  items: z.array(z.object({ name: z.string(), count: z.coerce.number().default(1) })).default([]),
  pet: z.object({ name: z.string() }).optional(),
});
const stored = {
  gold: '7',
  items: [
    { name: 'key', legacy: true },
    { name: 'map', count: '2' },
  ],
  pet: { name: 'Rex', age: 3 },
  later: { x: 1 },
};

describe('a document that does not fit its schema', () => {
  test('is not sent by put, patch or update', async () => {
    const schema = z.object({ gold: z.number().min(0) });
    const { publicState, sent, read } = await openShown({ gold: 1 }, schema);
    const refusal = { code: 'invalid_state', status: 0, message: expect.stringContaining('gold') };
    await expect(publicState.put({ gold: 'much' as never }, { ifVersion: 1 })).rejects.toMatchObject(refusal);
    await expect(publicState.put({} as never, { ifVersion: null })).rejects.toMatchObject(refusal);
    for (const value of [-1, 'much'] as const) {
      const patching = publicState.patch([{ op: 'replace', path: '/gold', value }], { ifVersion: 1 });
      await expect(patching).rejects.toMatchObject(refusal);
    }
    await expect(publicState.patch([{ op: 'remove', path: '/gold' }], { ifVersion: 1 })).rejects.toMatchObject(refusal);
    await expect(publicState.update(() => ({ gold: -5 }))).rejects.toMatchObject(refusal);
    expect([new Set(sent), await read()]).toEqual([new Set(['GET']), { gold: 1 }]);
    // Other operations are sent, and the service reports the error.
    await publicState.patch([{ op: 'replace', path: '/gold', value: 2 }], { ifVersion: 1 });
    expect(await publicState.put({ gold: 3 }, { ifVersion: 2 })).toMatchObject({ version: 3, state: { gold: 3 } });
    const nowhere = publicState.patch([{ op: 'remove', path: '/no/where' }], { ifVersion: 3 });
    await expect(nowhere).rejects.toMatchObject({ code: 'patch_path_not_found' });
  });

  test('is not passed to a change', async () => {
    const { publicState, sent } = await openShown({ gold: -1 }, z.object({ gold: z.number().min(0) }));
    let calls = 0;
    const updating = publicState.update(() => void calls++);
    await expect(updating).rejects.toMatchObject({ code: 'invalid_state' });
    expect([calls, sent]).toEqual([0, ['GET']]);
  });
});

describe('a draft is the document as get returns it', () => {
  test('with defaults and coercion, and only touched members are written', async () => {
    const { publicState, read } = await openShown(stored, save);
    const shown = (await publicState.get())?.state;
    expect(shown).toMatchObject({ gold: 7, at: new Date(0), items: [{ count: 1 }, { count: 2 }] });
    await publicState.update((draft) => {
      expect(draft).toEqual(shown);
      draft.gold += 5;
    });
    expect(await read()).toEqual({ ...stored, gold: 12 });
    await publicState.update((draft) => {
      draft.items[1] = { name: 'chart', count: 2 };
      draft.items[0]?.name.toUpperCase();
      draft.at.setTime(1_000);
    });
    const items = [stored.items[0], { name: 'chart', count: 2 }];
    expect(await read()).toEqual({ ...stored, gold: 12, at: '1970-01-01T00:00:01.000Z', items });
  });

  test('and moved items keep their hidden members', async () => {
    const { publicState, read } = await openShown(stored, save);
    await publicState.update((draft) => {
      draft.items.reverse();
      draft.items.push({ name: 'lamp', count: 1 });
    });
    const items = [stored.items[1], stored.items[0], { name: 'lamp', count: 1 }];
    expect(await read()).toEqual({ ...stored, items });
    await publicState.update(({ pet: _, ...draft }) => ({ ...draft, gold: 0 }));
    const { pet, ...rest } = stored;
    expect([await read(), pet.age]).toEqual([{ ...rest, items, gold: 0 }, 3]);
  });

  test('even if the document does not exist yet', async () => {
    const { publicState, read } = await openShown(null, save);
    await publicState.update((draft) => {
      expect(draft.gold).toBe(10);
      draft.gold++;
    });
    expect(await read()).toEqual({ gold: 11 });
    const { publicState: other } = await openShown(null, z.object({ name: z.string() }));
    expect(await other.update((draft) => void Object.assign(draft, { name: 'Ada' }))).toMatchObject({ version: 1 });
  });

  test('and so it is in the queue', async () => {
    const project = await world.newProject();
    const { userState } = await world.userClientOf<{ userState: z.infer<typeof save> }>(project, 'ada', {
      schema: { userState: save },
    });
    const mutators = defineMutators({
      earn: (draft: z.infer<typeof save>, n: number) => {
        draft.gold += n;
      },
    });
    const queue = openQueue(userState, mutators, { name: 'save', storage: memoryStorage() });
    onTestFinished(() => queue.close());
    await queue.run.earn(5);
    await queue.flush();
    expect((await userState.get())?.state.gold).toBe(15);
  });
});

test.each([
  [
    'a version next to the state',
    { v: 1, gold: 3 },
    z.preprocess(migrated, z.object({ v: z.literal(2), coins: z.number() })),
  ],
  [
    'its existing members',
    { gold: 3 },
    z.union([
      z.object({ gold: z.number() }).transform(({ gold }) => ({ v: 2, coins: gold })),
      z.object({ v: z.number(), coins: z.number() }),
    ]),
  ],
])('a change of a document that its schema upgrades, by %s, is never lost', async (_, old, schema) => {
  const { publicState, read } = await openShown<{ v: number; coins: number }>(old, schema);
  await publicState.update((draft) => {
    draft.coins += 4;
  });
  expect((await publicState.get())?.state).toEqual({ v: 2, coins: 7 });
  expect(await read()).toMatchObject({ v: 2, coins: 7 });
});

function migrated(raw: unknown): unknown {
  const { v, gold } = raw as Doc;
  return v === 1 ? { v: 2, coins: gold } : raw;
}

test('a schema that tidies its input loses no member unknown to it', async () => {
  const { publicState, read } = await openShown({ name: 'Ada', later: 1 }, z.object({ name: z.string().trim() }));
  await publicState.update((draft) => {
    draft.name = ' Grace ';
  });
  expect(await read()).toEqual({ name: ' Grace ', later: 1 });
  expect((await publicState.get())?.state).toEqual({ name: 'Grace' });
});
