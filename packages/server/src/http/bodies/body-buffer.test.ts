import { expect, test } from 'vitest';
import { BodyBuffer } from './body-buffer.ts';

const piece = (length: number, value: number) => new Uint8Array(length).fill(value);

test('a single piece is returned unchanged', () => {
  const buffer = new BodyBuffer(100);
  const only = piece(10, 1);
  buffer.push(only);
  expect(buffer.bytes()).toBe(only);
});

test.each([
  ['of equal size', [50_000, 50_000, 50_000, 50_000], 200_000],
  ['of equal size before a small last one', [65_536, 65_536, 65_536, 1], 196_609],
  ['of any size', [1, 65_536, 3, 400_000, 7], 465_547],
  ['of a body of unknown length', [60_000, 60_000, 60_000], 2_000_000],
])(
  'pieces %s are joined, and never take more than twice their bytes or more than the body limit',
  (_, lengths, bytesMax) => {
    const buffer = new BodyBuffer(bytesMax);
    let memory = 0;
    let bytes = 0;
    for (const [value, length] of lengths.entries()) {
      memory += buffer.memoryFor(length);
      buffer.push(piece(length, value));
      bytes += length;
      expect(buffer.length).toBe(bytes);
      expect(memory).toBeGreaterThanOrEqual(bytes);
      expect(memory).toBeLessThanOrEqual(Math.min(Math.max(2 * bytes, 65_536), bytesMax));
    }
    const joined = Buffer.concat(lengths.map((length, value) => piece(length, value)));
    expect(Buffer.compare(buffer.bytes(), joined)).toBe(0);
  },
);
