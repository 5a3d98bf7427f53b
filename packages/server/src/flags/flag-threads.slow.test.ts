/** Accounts with much to evaluate, and those that must wait for them. */
import { afterAll, describe, expect, test } from 'vitest';
import { AccountTime } from './account-time.ts';
import { FlagThreads } from './flag-threads.ts';

const threads = new FlagThreads();
afterAll(() => threads.close());

const body = Buffer.from(JSON.stringify({ context: { targetingKey: 'ada' } }));
const flagOf = (targeting: unknown) => ({ state: 'ENABLED', variants: { on: 1 }, defaultVariant: 'on', targeting });

/** All flags of a document that no thread has read. */
const asked = (document: string) => ({
  kind: 'evaluation' as const,
  at: 0,
  body,
  key: undefined,
  targetingKey: undefined,
  skipped: [],
  document,
  text: undefined,
});
const small = JSON.stringify({ flags: { a: flagOf({ if: [{ '==': [{ var: 'targetingKey' }, 'ada'] }, 'on', null] }) } });
const large = JSON.stringify({
  flags: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, flagOf({ cat: ['o', { var: 'n' }] })])),
});

/** Evaluates, again and again while the machine has no processor time for it. */
async function evaluate(...[owner, request, text]: Parameters<FlagThreads['run']>): Promise<void> {
  for (;;) {
    const refusal = await threads.run(owner, request, text).then(
      () => undefined,
      (reason: Error) => reason,
    );
    if (refusal === undefined) return;
    expect(refusal).toMatchObject({ code: 'service_unavailable' });
  }
}

describe('an account with little to evaluate', () => {
  test('does not wait for those that constantly read large documents', async () => {
    const accounts = Array.from({ length: 8 }, (_, account) => `large-${account}`);
    let isOver = false;
    let done = 0;
    const attack = accounts.map(async (account) => {
      for (let version = 0; !isOver; version++) {
        await evaluate({ account, subject: 'key' }, asked(`${account} ${version}`), large);
        done += 1;
      }
    });
    /** How many evaluations of the others end while it waits for one. */
    const waits: number[] = [];
    for (let round = 0; round < 40; round++) {
      const before = done;
      await evaluate({ account: 'small', subject: 'key' }, asked('small'), small);
      waits.push(done - before);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    isOver = true;
    await Promise.all(attack);
    const [median] = waits
      .slice(15)
      .toSorted((one, two) => one - two)
      .slice(12);
    expect(median).toBeLessThanOrEqual(1); // 7 where all accounts take turns
  });
});

describe('drains by one share per second', () => {
  test('counts until it has passed at a rate of one share per second', () => {
    const time = new AccountTime();
    time.add('a', 25, 0);
    expect(time.isBusy('a', 0)).toBe(false);
    time.add('a', 10, 0);
    expect([time.isBusy('a', 0), time.isBusy('b', 0)]).toEqual([true, false]);
    expect([time.isBusy('a', 1_900), time.isBusy('a', 2_000)]).toEqual([true, false]);
  });
});
