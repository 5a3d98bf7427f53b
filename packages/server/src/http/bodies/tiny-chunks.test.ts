import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isTinyChunked, watchUnread } from './tiny-chunks.ts';

/** A request whose body is read on arrival. */
function beingRead(): IncomingMessage {
  const request = { push: () => true, readableFlowing: true } as unknown as IncomingMessage;
  watchUnread(request);
  return request;
}

test('a body may start with a thousand small pieces, or 32 within a quarter of a second that has brought thousands', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const small = (pieces: number) => isTinyChunked(pieces, pieces);
  expect([small(1_024), small(1_025), isTinyChunked(1_025, 16 * 1_025)]).toEqual([false, true, false]);
  const requests = Array.from({ length: 10 }, beingRead);
  for (let piece = 0; piece <= 4_096; piece++) requests[piece % 10]?.push(Buffer.from('a'));
  expect([small(32), small(33), isTinyChunked(33, 16 * 33)]).toEqual([false, true, false]);
  vi.advanceTimersByTime(249);
  expect(small(33)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(small(1_024)).toBe(false);
  for (let piece = 0; piece < 5_000; piece++) requests[0]?.push(Buffer.from('a piece of 16 byt'));
  expect(small(1_024)).toBe(false);
});
