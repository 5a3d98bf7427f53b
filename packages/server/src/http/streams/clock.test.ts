import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StreamClock } from './clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function newStream(endsAtMs: number) {
  const stream = {
    endsAtMs,
    beats: 0,
    isExpired: false,
    beat: () => void stream.beats++,
    expire: () => {
      stream.isExpired = true;
    },
  };
  return stream;
}

test('every stream has a heartbeat every 15 seconds, and heartbeats are spread', () => {
  const clock = new StreamClock(Date.now);
  const streams = Array.from({ length: 60 }, () => newStream(Number.POSITIVE_INFINITY));
  for (const stream of streams) clock.add(stream);
  let beats = 0;
  for (let tick = 0; tick < 30; tick++) {
    vi.advanceTimersByTime(500);
    const now = streams.reduce((sum, stream) => sum + stream.beats, 0);
    expect(now - beats).toBe(2);
    beats = now;
  }
  expect(new Set(streams.map((stream) => stream.beats))).toEqual(new Set([1]));
  for (const stream of streams) clock.delete(stream);
  expect(vi.getTimerCount()).toBe(0);
});

test('a stream expires within a second after its time, not before', () => {
  const clock = new StreamClock(Date.now);
  const stream = newStream(Date.now() + 10_000);
  const deleted = newStream(Date.now() + 10_000);
  clock.add(stream);
  clock.add(deleted);
  clock.delete(deleted);
  vi.advanceTimersByTime(9_900);
  expect(stream.isExpired).toBe(false);
  vi.advanceTimersByTime(1_100);
  expect([stream.isExpired, deleted.isExpired]).toEqual([true, false]);
  clock.close();
});
