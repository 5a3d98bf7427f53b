import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ensureProject, newState, stateKey, version } from '../../store-suite/harness.ts';
import { temporary } from '../temporary.fixture.ts';

const { directory, open } = temporary();

/** A store, and the number of writes in each of its transactions. */
async function observed() {
  const groups: number[] = [];
  const observer = { onOpen: () => {}, onFailure: () => {}, onCommit: (writes: number) => void groups.push(writes) };
  const store = await open({ dataDir: directory(), observer });
  let accounts = 0;
  const write = () => {
    const accountId = `acc_${++accounts}`;
    return store.createAccount({ accountId, name: 'A', idpTenantId: `tenant_${accounts}`, createdAt: accounts });
  };
  return { groups, write };
}

test('writes in consecutive turns of the event loop share a transaction', async () => {
  const { groups, write } = await observed();
  // On a busy machine more time can pass between two turns than writes are held back.
  for (let attempt = 0; attempt < 100 && !groups.includes(3); attempt++) {
    const writes: Promise<unknown>[] = [];
    for (let turn = 0; turn < 3; turn++) {
      writes.push(write());
      await nextTurn();
    }
    await Promise.all(writes);
  }
  expect(groups).toContain(3);
});

test('a write a few quiet turns after another shares its transaction', async () => {
  const { groups, write } = await observed();
  // As above; and pairs do not overlap, so that none waits for a running transaction.
  for (let attempt = 0; attempt < 100 && !groups.includes(2); attempt++) {
    const first = write();
    for (let turn = 0; turn < 4; turn++) await nextTurn();
    await Promise.all([first, write()]);
  }
  expect(groups).toContain(2);
});

test('no write waits long for others, however many follow', async () => {
  const { groups, write } = await observed();
  let isAnswered = false;
  const first = write().then(() => {
    isAnswered = true;
  });
  const others: Promise<unknown>[] = [];
  // Each turn takes a while, so that a slow machine has some seconds until one message is full.
  while (!isAnswered && others.length < 4_000) {
    others.push(write());
    const turnEndsAt = performance.now() + 1;
    while (performance.now() < turnEndsAt);
    await nextTurn();
  }
  expect(isAnswered).toBe(true);
  await Promise.all([first, ...others]);
  expect(groups.reduce((sum, writes) => sum + writes, 0)).toBe(1 + others.length);
});

test.each([
  { document: 'small', length: 10, writes: 1_000, perTurn: 64 },
  { document: 'large', length: 250_000, writes: 10, perTurn: 1 },
])('a turn of the event loop returns $perTurn outcomes for a group of $document documents', async (each) => {
  const store = await open({ dataDir: directory() });
  const key = stateKey();
  await ensureProject(store, key);
  const next = newState(JSON.stringify({ text: 'x'.repeat(each.length) }));
  let isAnswered = false;
  const answeredInTurn = [0];
  const conflicts = Array.from({ length: each.writes }, async () => {
    const { kind } = await store.writePublicState(key, version(9), next);
    answeredInTurn.push((answeredInTurn.pop() as number) + 1);
    return kind;
  });
  const all = Promise.all(conflicts).finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    answeredInTurn.push(0);
    await nextTurn();
  }
  expect(new Set(await all)).toEqual(new Set(['conflict']));
  expect(answeredInTurn.reduce((sum, count) => sum + count)).toBe(each.writes);
  expect(Math.max(...answeredInTurn)).toBe(each.perTurn);
});
