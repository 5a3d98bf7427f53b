import { expect, test } from 'vitest';
import { StoreFault } from '../../store.ts';
import { createRecordQueues } from './record-queues.ts';

test('changes of one record run one after the other, beside those of other records', async () => {
  const queues = createRecordQueues();
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<string>>();
  const change = (name: string, label: string) =>
    queues.run(name, () => {
      begun.push(label);
      const gate = Promise.withResolvers<string>();
      gates.set(label, gate);
      return gate.promise;
    });
  const all = [change('a', 'a1'), change('a', 'a2'), change('b', 'b1'), change('a', 'a3')];
  expect(begun).toEqual(['a1', 'b1']);
  for (const label of ['a1', 'a2']) {
    gates.get(label)?.resolve(label);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  gates.get('a3')?.resolve('a3');
  gates.get('b1')?.resolve('b1');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('after a failure the waiting changes fail too and are not sent, but the next one is', async () => {
  const queues = createRecordQueues();
  const sent: number[] = [];
  const gate = Promise.withResolvers<never>();
  const first = queues.run('a', () => gate.promise);
  const waiting = [1, 2].map((n) => queues.run('a', async () => sent.push(n)));
  gate.reject(new Error('unavailable'));
  const outcomes = await Promise.allSettled([first, ...waiting]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(sent).toEqual([]);
  expect(await queues.run('a', async () => 'sent')).toBe('sent');
});

test('a change at fault fails alone: the waiting ones are sent', async () => {
  const queues = createRecordQueues();
  const gate = Promise.withResolvers<never>();
  const first = queues.run('a', () => gate.promise);
  const waiting = [1, 2].map((n) => queues.run('a', async () => n));
  gate.reject(new StoreFault('a constraint'));
  await expect(first).rejects.toBeInstanceOf(StoreFault);
  expect(await Promise.all(waiting)).toEqual([1, 2]);
});
