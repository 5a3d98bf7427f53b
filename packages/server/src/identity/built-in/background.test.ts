import { expect, test } from 'vitest';
import { createBackground } from './background.ts';

const owner = (account: string, subject = '192.0.2.1') => ({ account, subject });

test('work of one directory neither delays another nor takes all the room', async () => {
  const faults: unknown[] = [];
  const background = createBackground((fault) => faults.push(fault));
  const done: string[] = [];
  const work = (name: string) => async () => {
    await new Promise(setImmediate);
    done.push(name);
  };
  for (let i = 0; i < 2_000; i++) background.run(owner('acc_greedy', `192.0.2.${i % 100}`), work(`greedy ${i}`));
  background.run(owner('acc_other'), work('other'));
  await background.settled();
  expect(done.indexOf('other')).toBeLessThan(12); // four run in parallel, and the directories take turns
  expect(done).toHaveLength(2_001 - faults.length);
  expect(done.length).toBeLessThanOrEqual(501);
  expect(String(faults[0])).toMatch(/cannot send a mail: \d+ are waiting/);
});

test('failing work is reported, and the rest continues', async () => {
  const faults: unknown[] = [];
  const background = createBackground((fault) => faults.push(fault));
  let done = 0;
  for (let i = 0; i < 10; i++) {
    background.run(owner('acc_1'), async () => {
      if (i % 2 === 0) throw new Error('refused');
      done++;
    });
  }
  await background.settled();
  expect([done, faults.length]).toEqual([5, 5]);
});
