import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { base62, hashedIdentifier, randomDigits, randomIdentifier } from '../ids/base62.ts';
import { generateApiKey, hashApiKey, isWellFormedApiKey, startOfApiKey } from './api-key-text.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('base 62', () => {
  it('pads numbers with zeros', () => {
    expect(base62(0n, 6)).toBe('000000');
    expect(base62(61n, 2)).toBe('0z');
    expect(base62(62n, 2)).toBe('10');
    expect(base62(2n ** 32n - 1n, 6)).toBe('4gfFC3');
  });

  it('holds 128 bits in 22 digits', () => {
    expect(base62(2n ** 128n - 1n, 22)).toMatch(/^[0-9A-Za-z]{22}$/);
    for (let i = 0; i < 1_000; i++) expect(randomIdentifier()).toMatch(/^[0-9A-Za-z]{22}$/);
  });

  it('makes the identifier of a text that databases of each release hold', () => {
    expect(hashedIdentifier('acc_1\nthumbprint')).toBe('7R7mwV56xRI1GF0StKR0z6');
  });

  it('draws every digit equally often', () => {
    const draws = 62_000;
    const counts = new Map<string, number>();
    for (const digit of randomDigits(draws)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    // Chi-square with 61 degrees of freedom: above 150 by chance once in 10^9 runs. Taking bytes modulo 62 gives about 470.
    const expected = draws / alphabet.length;
    const chiSquare = [...alphabet].reduce((sum, digit) => sum + ((counts.get(digit) ?? 0) - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(150);
  });
});

describe('an API key', () => {
  it('has its prefix, 30 random digits and the CRC-32 of both', () => {
    const key = generateApiKey();
    expect(key).toMatch(/^svck_[0-9A-Za-z]{36}$/);
    expect(key.slice(35)).toBe(base62(BigInt(crc32Bitwise(key.slice(0, 35))), 6));
    expect(isWellFormedApiKey(key)).toBe(true);
  });

  it('of the publishable kind shows its kind, has the same length, and a matching checksum', () => {
    const key = generateApiKey('publishable');
    expect(key).toMatch(/^svcp_[0-9A-Za-z]{36}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(isWellFormedApiKey(`svck_${key.slice(5)}`)).toBe(false);
  });

  it('never repeats', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => generateApiKey())).size).toBe(1_000);
  });

  it('with one character mistyped, two swapped, or a different length is malformed', () => {
    const key = generateApiKey();
    for (let i = 0; i < key.length; i++) {
      for (const digit of `${alphabet}_-é\0`) {
        const typo = key.slice(0, i) + digit + key.slice(i + 1);
        expect(isWellFormedApiKey(typo)).toBe(typo === key);
      }
      const swapped = key.slice(0, i) + (key[i + 1] ?? '') + key[i] + key.slice(i + 2);
      expect(isWellFormedApiKey(swapped)).toBe(swapped === key);
    }
    for (const text of ['', key.slice(0, -1), `${key}0`, `${key}\n`, ` ${key}`, key.toUpperCase()]) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });

  it('is stored as its SHA-256, and shows four of its digits', () => {
    const key = generateApiKey();
    expect(Buffer.from(hashApiKey(key)).toString('hex')).toBe(createHash('sha256').update(key).digest('hex'));
    expect(startOfApiKey(key)).toBe(key.slice(0, 9));
  });
});

/** The textbook form, one bit at a time. */
function crc32Bitwise(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
