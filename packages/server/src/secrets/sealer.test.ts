import { describe, expect, it } from 'vitest';
import { createSealer } from './sealer.ts';
import { SecretFault } from './secret-key.ts';

const secretKey = Buffer.alloc(32, 7);
const plain = Buffer.from('{"d":"private"}');

describe('a sealed value', () => {
  const sealer = createSealer(secretKey, 'signing-key');

  it('opens to its content, even an empty one', () => {
    for (const value of [plain, Buffer.alloc(0)]) {
      expect(Buffer.from(sealer.open(sealer.seal(value, 'k1'), 'k1'))).toEqual(value);
    }
  });

  it('differs each time and reveals nothing of its content', () => {
    const [first, second] = [sealer.seal(plain, 'k1'), sealer.seal(plain, 'k1')];
    expect(first).not.toEqual(second);
    expect(Buffer.from(first).includes(plain)).toBe(false);
  });

  it('opens only for its record, purpose and key', () => {
    const sealed = sealer.seal(plain, 'k1');
    expect(() => sealer.open(sealed, 'k2')).toThrow(SecretFault);
    expect(() => createSealer(secretKey, 'provider-secret').open(sealed, 'k1')).toThrow(SecretFault);
    expect(() => createSealer(Buffer.alloc(32, 8), 'signing-key').open(sealed, 'k1')).toThrow(SecretFault);
  });

  it('does not open with a bit turned, or a different length', () => {
    const sealed = sealer.seal(plain, 'k1');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const turned = Buffer.from(sealed);
      turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => sealer.open(turned, 'k1')).toThrow(SecretFault);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => sealer.open(sealed.subarray(0, length), 'k1')).toThrow(SecretFault);
    }
    expect(() => sealer.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'k1')).toThrow(SecretFault);
  });

  it('is sealed by the first of two keys, and opens with either', () => {
    const other = Buffer.alloc(32, 8);
    const both = createSealer([other, secretKey], 'signing-key');
    expect(Buffer.from(both.open(sealer.seal(plain, 'k1'), 'k1'))).toEqual(plain);
    const sealed = both.seal(plain, 'k1');
    expect(Buffer.from(createSealer(other, 'signing-key').open(sealed, 'k1'))).toEqual(plain);
    expect(() => sealer.open(sealed, 'k1')).toThrow(SecretFault);
    expect(() => both.open(sealed, 'k2')).toThrow(SecretFault);
    expect(() => createSealer([secretKey, Buffer.alloc(16)], 'signing-key')).toThrow('16 bytes instead of 32');
  });

  it('requires a key of 32 bytes', () => {
    expect(() => createSealer(Buffer.alloc(16), 'signing-key')).toThrow('16 bytes instead of 32');
  });
});
