import { expect, test } from 'vitest';
import { Refusal } from '../common/requests/refusal.ts';
import { createTurns } from '../common/turns/turns.ts';
import { type Admission, createAdmission } from './admission.ts';

/** For this test only: turns have no work while another test's server accepts connections. */
const createAlone = (now: () => number) => createAdmission(now, createTurns(now));

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Lets requests arrive in one turn. Serving each one advances the clock by `millisecondsEach`. */
function arrive(admission: Admission, count: number, clock: { time: number }, millisecondsEach: number) {
  const tally = { atOnce: 0, later: 0, refused: 0 };
  for (let request = 0; request < count; request++) {
    if (admission.admits(clock.time)) {
      tally.atOnce++;
      clock.time += millisecondsEach;
    } else {
      admission.queue((isAdmitted) => {
        if (!isAdmitted) tally.refused++;
        else {
          tally.later++;
          clock.time += millisecondsEach;
        }
      });
    }
  }
  return tally;
}

test('a few requests are served immediately, in every turn', async () => {
  const clock = { time: 0 };
  const admission = createAlone(() => clock.time);
  for (let turn = 0; turn < 5; turn++) {
    expect(arrive(admission, 256, clock, 0.04)).toEqual({ atOnce: 256, later: 0, refused: 0 });
    await nextTurn();
  }
});

test('a burst waits its turn, and none of it is refused', async () => {
  const clock = { time: 0 };
  const admission = createAlone(() => clock.time);
  const tally = arrive(admission, 1_200, clock, 0.04);
  expect(tally).toEqual({ atOnce: 256, later: 0, refused: 0 });
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(tally).toEqual({ atOnce: 256, later: 944, refused: 0 });
});

test('requests that wait because others were slow are not refused while they are few', async () => {
  const clock = { time: 0 };
  const admission = createAlone(() => clock.time);
  for (let turn = 0; turn < 5; turn++) {
    const tally = arrive(admission, 100, clock, 20);
    await nextTurn();
    while (tally.atOnce + tally.later + tally.refused < 100) await nextTurn();
    expect(tally.refused).toBe(0);
    expect(tally.atOnce).toBe(1);
  }
});

test('waiting requests keep no more body bytes than fit', async () => {
  const clock = { time: 0 };
  const admission = createAlone(() => clock.time);
  const mebibyte = 1024 * 1024;
  const outcomes: boolean[] = [];
  const offer = (bodyBytes: number) => admission.queue((isAdmitted) => outcomes.push(isAdmitted), false, bodyBytes);
  for (let turn = 0; turn < 2; turn++) {
    admission.admits(clock.time);
    const waits = Array.from({ length: 17 }, () => offer(mebibyte));
    expect(waits).toEqual([...Array(16).fill(true), false]);
    expect(outcomes).toEqual([]); // none is answered while sockets are read
    offer(0);
    while (outcomes.length < 18) await nextTurn();
    expect(outcomes.splice(0)).toEqual([false, ...Array(17).fill(true)]);
  }
});

test('under lasting overload nobody waits long: the rest is refused in its first turn', async () => {
  const clock = { time: 0 };
  const admission = createAlone(() => clock.time);
  const waits: number[] = [];
  let refused = 0;
  for (let turn = 0; turn < 200; turn++) {
    for (let request = 0; request < 1_000; request++) {
      const arrivedAt = clock.time;
      if (admission.admits(clock.time)) clock.time += 1;
      else {
        admission.queue((isAdmitted) => {
          if (isAdmitted) {
            clock.time += 1;
            if (turn > 10) waits.push(clock.time - arrivedAt);
          } else refused++;
        });
      }
    }
    await nextTurn();
  }
  expect(waits.length).toBeGreaterThan(1_000);
  expect(Math.max(...waits)).toBeLessThan(500);
  expect(refused).toBeGreaterThan(100_000);

  for (let turn = 0; turn < 50; turn++) await nextTurn(); // the overload is over, and waiting requests are served
  expect(arrive(admission, 200, clock, 0.04)).toEqual({ atOnce: 200, later: 0, refused: 0 });
});

/** A write that ends when the function that it adds to `underWay` is called. */
async function write(admission: Admission, account: string, underWay: (() => void)[]): Promise<void> {
  admission.beginWrite(account);
  await new Promise<void>((resolve) => underWay.push(resolve));
  admission.endWrite(account);
}

test('as many writes run as finish within a quarter of a second; 256 in a burst, then at least 64', async () => {
  const clock = { time: 0 };
  const admission = createAlone(() => clock.time);
  const underWay: (() => void)[] = [];
  const begin = () => write(admission, 'acc_1', underWay);
  const fill = (count: number) => Array.from({ length: count }, () => begin().catch((error: unknown) => error));
  const refusals = async (writes: readonly Promise<unknown>[], begun: number) => {
    await nextTurn();
    expect(underWay).toHaveLength(begun);
    const later = await Promise.all(writes.slice(begun));
    expect(later.every((error) => error instanceof Refusal && error.code === 'service_unavailable')).toBe(true);
  };

  await refusals(fill(300), 256);
  expect(() => admission.checkWrite('acc_1')).toThrow('repeat the request unchanged later');

  for (const finish of underWay.splice(0)) finish();
  await nextTurn();
  await refusals(fill(100), 64); // the burst limit is used up

  for (let step = 0; step < 50; step++) {
    clock.time += 100;
    for (const finish of underWay.splice(0)) finish();
    await nextTurn();
    fill(1_000); // 10,000 a second, if admitted
  }
  const begun = underWay.length;
  expect(begun).toBeGreaterThan(500);
  expect(begun).toBeLessThanOrEqual(1_000);
  for (const finish of underWay.splice(0)) finish();
  await nextTurn();
});

test('an account whose writes take all slots leaves a share to others', async () => {
  const admission = createAlone(() => 0);
  const underWay: (() => void)[] = [];
  const begin = (account: string) => write(admission, account, underWay);
  /** The number of further writes admitted for an account. */
  const fill = async (account: string) => {
    const before = underWay.length;
    for (let write = 0; write < 300; write++) begin(account).catch(() => undefined);
    await nextTurn();
    return underWay.length - before;
  };

  expect(await fill('greedy')).toBe(256);
  expect(await fill('greedy')).toBe(0);
  expect(await fill('second')).toBe(32); // half of the 64 admitted after a burst
  expect(await fill('third')).toBe(22);
  let others = 0;
  for (let account = 0; account < 300; account++) others += await fill(`account ${account}`);
  expect(underWay.length).toBe(64 + 256); // for any number of accounts
  expect(others).toBeGreaterThanOrEqual(10);
  for (const finish of underWay) finish();
});
