import { expect, test } from 'vitest';
import type { OpenStreams } from '../../contract/usage.ts';
import { type CreateStoreHarness, withStore } from '../harness.ts';

const soon = Date.now() + 3_600_000;
const open = (change: Partial<OpenStreams> = {}): OpenStreams => ({
  accountId: 'acc_1',
  slug: 'p',
  publicStreams: 2,
  userStreams: 1,
  ...change,
});

export function openStreams(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('a process sees the open streams of other processes, but not its own', async () => {
    const others = [await at.openParallel(), await at.openParallel()];
    for (const other of others) await other.publishOpenStreams([open(), open({ accountId: 'acc_2' })], soon);
    await at.store.publishOpenStreams([open({ publicStreams: 100 })], soon);
    const found = await at.store.readOpenStreams('acc_1', soon - 1);
    expect([[], [open({ publicStreams: 4, userStreams: 2 })]]).toContainEqual(found);
    expect(await at.store.readOpenStreams('acc_1', soon)).toEqual([]);
    expect(await at.store.readOpenStreams('acc_3', soon - 1)).toEqual([]);
    const isAlone = found.length === 0;
    await others[0]?.publishOpenStreams([open({ publicStreams: 0, userStreams: 0 })], soon);
    expect(await at.store.readOpenStreams('acc_1', soon - 1)).toEqual(isAlone ? [] : [open()]);
  });

  test('a process that closes takes back its open streams', async () => {
    const other = await at.openParallel();
    await other.publishOpenStreams([open()], soon);
    await other.close();
    expect(await at.store.readOpenStreams('acc_1', soon - 1)).toEqual([]);
  });
}
