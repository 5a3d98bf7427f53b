import { describe, expect, test } from 'vitest';
import { decodeUtf8 } from './text.ts';

describe('decodeUtf8', () => {
  test('valid UTF-8 becomes text, including a byte order mark', () => {
    for (const text of ['', 'plain', '{"é":"😀\u0000"}', '\ufeff{}'])
      expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text);
    const within = new TextEncoder().encode('xxé{}xx').subarray(2, 6);
    expect(decodeUtf8(within)).toBe('é{}');
    expect(decodeUtf8(new TextEncoder().encode('xxab').subarray(2))).toBe('ab');
  });

  test('invalid UTF-8 is undefined: stray, cut, overlong, surrogate, over the Unicode range', () => {
    for (const bytes of [[0x80], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x61, 0xff]]) {
      expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
    }
  });
});
