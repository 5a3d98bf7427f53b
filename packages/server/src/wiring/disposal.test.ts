import { afterEach, expect, it, vi } from 'vitest';
import { Disposal } from './disposal.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('work under way is waited for, and what was registered earlier closes after it', async () => {
  const closed: string[] = [];
  const disposal = new Disposal(() => undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  disposal.add('the store', () => void closed.push('store'));
  disposal.addSettling('the mails', () => promise.then(() => closed.push('mails')));
  const stopped = disposal.run();
  await new Promise(setImmediate);
  expect(closed).toEqual([]);
  resolve();
  await stopped;
  expect(closed).toEqual(['mails', 'store']);
});

it('work that never began delays nothing', async () => {
  vi.useFakeTimers();
  const disposal = new Disposal(() => undefined);
  disposal.addSettling('the mails', () => undefined);
  await disposal.run();
  expect(vi.getTimerCount()).toBe(0);
});

it('work that does not end has five seconds', async () => {
  vi.useFakeTimers();
  const disposal = new Disposal(() => undefined);
  disposal.addSettling('the mails', () => new Promise(() => undefined));
  let isStopped = false;
  const stopped = disposal.run().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
});

it('a fault of work under way is reported, and the rest is closed', async () => {
  const faults: string[] = [];
  let isClosed = false;
  const disposal = new Disposal((what) => faults.push(what));
  disposal.add('the store', () => {
    isClosed = true;
  });
  disposal.addSettling('the mails', () => Promise.reject(new Error('no disk')));
  await expect(disposal.run()).rejects.toThrow('cannot close the mails: no disk');
  expect({ faults, isClosed }).toEqual({ faults: ['the mails'], isClosed: true });
});
