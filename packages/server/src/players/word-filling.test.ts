import { expect, it } from 'vitest';
import { createWordFilling } from './word-filling.ts';

/** A store of accounts, each with so many slices left. */
function storeOf(left: Map<string, number>, isFinished = { value: true }) {
  const filled: string[] = [];
  const names = [...left.keys()];
  return {
    filled,
    isUpgradeFinished: async () => isFinished.value,
    async listWordlessAccounts(after: string | null) {
      const rest = names.filter((name) => after === null || name > after);
      const page = rest.slice(0, 2);
      const last = page.at(-1);
      const accountIds = page.filter((name) => (left.get(name) ?? 0) > 0);
      return { accountIds, next: rest.length > 2 && last !== undefined ? last : null };
    },
    async fillPlayerWords(accountId: string) {
      filled.push(accountId);
      const rest = (left.get(accountId) ?? 0) - 1;
      left.set(accountId, rest);
      return rest === 0;
    },
  };
}

it('goes over all accounts in turns, then pauses for an hour', async () => {
  const left = new Map([
    ['acc_1', 0],
    ['acc_2', 0],
    ['acc_3', 3],
    ['acc_4', 1],
    ['acc_5', 2],
  ]);
  const store = storeOf(left);
  const sweep = createWordFilling(store);
  const run = async (now: number) => {
    while ((await sweep(now)) > 0);
  };
  await run(1);
  expect(store.filled).toEqual(['acc_3', 'acc_4', 'acc_3', 'acc_3', 'acc_5', 'acc_5']);
  left.set('acc_1', 1);
  await run(2);
  expect(store.filled).toHaveLength(6);
  await run(2 + 60 * 60 * 1000);
  expect(store.filled.slice(6)).toEqual(['acc_1']);
});

it('waits for the end of an upgrade, and lets others have their turn', async () => {
  const isFinished = { value: false };
  const store = storeOf(new Map([['acc_1', 10_000]]), isFinished);
  const sweep = createWordFilling(store);
  expect(await sweep(1)).toBe(0);
  expect(store.filled).toEqual([]);
  isFinished.value = true;
  let calls = 0;
  for (let more = 1; more > 0; calls++) more = await sweep(1);
  expect(calls).toBe(1_000);
  expect(await sweep(1)).toBe(1);
});
