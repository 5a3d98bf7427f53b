import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newFamilyId, parseRefreshToken, randomSecret, refreshTokenText } from './secret-text.ts';

describe('a secret', () => {
  it('is 43 digits, never the same twice', () => {
    const secrets = Array.from({ length: 1_000 }, randomSecret);
    expect(new Set(secrets).size).toBe(1_000);
    expect(secrets.every((secret) => /^[0-9A-Za-z]{43}$/.test(secret))).toBe(true);
  });

  it('has 256 random bits: every place takes every digit', () => {
    const secrets = Array.from({ length: 2_000 }, randomSecret);
    const places = Array.from({ length: 43 }, (_, place) => new Set(secrets.map((secret) => secret[place])).size);
    expect(Math.min(...places)).toBe(62);
  });
});

describe('a refresh token', () => {
  it('names its family, and is stored by the hash of its secret', () => {
    const [familyId, secret] = [newFamilyId(), randomSecret()];
    const text = refreshTokenText(familyId, secret);
    expect(text).toMatch(/^svcr_[0-9A-Za-z]{22}\.[0-9A-Za-z]{43}$/);
    const secretHash = createHash('sha256').update(secret).digest();
    expect(parseRefreshToken(text)).toEqual({ familyId, secretHash });
  });

  const [familyId, secret] = ['a'.repeat(22), 'b'.repeat(43)];
  it.each([
    '',
    `svcr_${familyId}`,
    `svcr_${familyId}.`,
    `svcr_${familyId}.${secret}c`,
    `svcr_${familyId}a.${secret}`,
    ` svcr_${familyId}.${secret}`,
    `svcr_${familyId}.${secret}\n`,
    `SVCR_${familyId}.${secret}`,
    `svcr_${familyId}.${'-'.repeat(43)}`,
    `${familyId}.${secret}`,
  ])('is not %j', (text) => expect(parseRefreshToken(text)).toBeUndefined());
});
