/** Results of two concurrent changes, as in the section "Merging" of the README. */
import type { Change } from '@holdfast/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientWorld, openClientWorld } from './world.ts';

interface Doc {
  gold: number;
  name: string;
  items: { id: string }[];
  pets: Record<string, { age: number }>;
}

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

const begin: Doc = { gold: 0, name: '', items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], pets: { rex: { age: 3 } } };

/** Returns the stored document after two changes. The second starts from the document before the first. */
async function both(first: Change<Doc>, second: Change<Doc>): Promise<Doc | undefined> {
  const project = await world.newProject();
  const [one, other] = [
    await world.clientOf<{ publicState: Doc }>(project),
    await world.clientOf<{ publicState: Doc }>(project),
  ];
  await one.publicState.put(begin, { ifVersion: null });
  await other.publicState.get();
  await one.publicState.update(first);
  await other.publicState.update(second); // starts from version 1, and gets version 2 after a conflict
  return (await one.publicState.get())?.state;
}

const add = (draft: Doc): void => {
  draft.gold += 5;
};

test('changes to different members are both kept, and sums add up', async () => {
  const rename = (draft: Doc): void => {
    draft.name = 'Ada';
  };
  expect(await both(add, rename)).toEqual({ ...begin, gold: 5, name: 'Ada' });
  expect(await both(add, add)).toEqual({ ...begin, gold: 10 });
  expect(await both(() => ({ ...begin, name: 'Eve' }), rename)).toMatchObject({ name: 'Ada' });
});

test('lists keep additions from both; an index applies to the newest list', async () => {
  const push = (id: string) => (draft: Doc) => void draft.items.push({ id });
  expect((await both(push('x'), push('y')))?.items.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'x', 'y']);
  const unshift = (draft: Doc): void => void draft.items.unshift({ id: 'x' });
  const ids = async (change: Change<Doc>) => (await both(unshift, change))?.items.map(({ id }) => id);
  expect(await ids((draft) => void draft.items.splice(2, 1))).toEqual(['x', 'a', 'c']);
  const byId = (draft: Doc): void => {
    draft.items = draft.items.filter(({ id }) => id !== 'c');
  };
  expect(await ids(byId)).toEqual(['x', 'a', 'b']);
});

test('a deleted object cannot be edited', async () => {
  const remove = (draft: Doc): void => {
    delete draft.pets.rex;
  };
  const grow = (draft: Doc): void => {
    const { rex } = draft.pets as { rex: { age: number } };
    rex.age += 1;
  };
  expect((await both(grow, remove))?.pets).toEqual({});
  await expect(both(remove, grow)).rejects.toThrow(TypeError);
});

test('an object from an earlier read overwrites later changes', async () => {
  const old = { ...begin, name: 'Eve' };
  expect(await both(add, () => old)).toEqual(old); // the five gold are lost
});
