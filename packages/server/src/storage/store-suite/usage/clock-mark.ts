import { expect, test } from 'vitest';
import { clockTrialMilliseconds } from '../../contract/installation.ts';
import { account, type CreateStoreHarness, withStore } from '../harness.ts';

const start = Date.UTC(2026, 10, 25);
const minute = 60_000;
const day = 24 * 60 * minute;

export function clockMark(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('a clock is accepted up to a day ahead of the latest time served', async () => {
    expect(await at.store.readClockMark()).toBeUndefined();
    const believed = async (now: number) => (await at.store.noteTime(now, minute)).isTrusted;
    expect(await believed(start)).toBe(true);
    await at.store.createAccount(account());
    expect([await believed(start + day), await believed(start - 5 * day), await believed(start + day)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(await at.store.readClockMark()).toEqual({ servedAt: start + day, waitedMilliseconds: 0 });
    expect(await believed(start + 2 * day + 1)).toBe(false);
    await at.reopen();
    expect(await at.store.readClockMark()).toEqual({ servedAt: start + day, waitedMilliseconds: minute });
    expect(await believed(start + 2 * day)).toBe(true);
    expect(await at.store.readClockMark()).toEqual({ servedAt: start + 2 * day, waitedMilliseconds: 0 });
  });

  test('a clock further ahead is accepted after enough running time, added up across restarts and nodes', async () => {
    await at.store.noteTime(start, minute);
    await at.store.createAccount(account());
    const beside = await at.openParallel();
    let now = start + 400 * day;
    const half = clockTrialMilliseconds / 2;
    expect((await at.store.noteTime(now, half)).isTrusted).toBe(false);
    // Stopped for a week, then two nodes run for the same six hours.
    now += 7 * day;
    expect((await at.store.noteTime(now, half / 2)).mark.waitedMilliseconds).toBe(half * 1.5);
    expect((await beside.noteTime(now + minute, half / 2)).mark.waitedMilliseconds).toBe(half * 1.5 + minute);
    await at.reopen();
    now += half;
    expect(await at.store.noteTime(now, half)).toEqual({
      isTrusted: true,
      mark: { servedAt: now, waitedMilliseconds: 0 },
    });
  });

  test('an operator can confirm that the clock is right, whatever the mark', async () => {
    await at.store.noteTime(start, minute);
    await at.store.createAccount(account());
    await at.store.acceptTime(start + 400 * day);
    expect((await at.store.noteTime(start + 400 * day, minute)).isTrusted).toBe(true);
    await at.store.acceptTime(start);
    expect(await at.store.readClockMark()).toEqual({ servedAt: start, waitedMilliseconds: 0 });
  });

  test('in a database from before clock marks, the clock is accepted after enough running time', async () => {
    await at.store.createAccount(account());
    expect(await at.store.noteTime(start, minute)).toMatchObject({ isTrusted: false, mark: { servedAt: 0 } });
    expect((await at.store.noteTime(start + day, clockTrialMilliseconds)).isTrusted).toBe(true);
    expect(await at.store.readClockMark()).toMatchObject({ servedAt: start + day });
  });
}
