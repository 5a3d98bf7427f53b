import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashSecret, randomSecret } from '../common/secrets/secret-text.ts';
import {
  createSecretChain,
  markOf,
  newFamilyId,
  type PresentedToken,
  parseRefreshToken,
  refreshTokenText,
} from './refresh-token-text.ts';

describe('a secret', () => {
  it('is 43 digits and never repeats', () => {
    const secrets = Array.from({ length: 1_000 }, randomSecret);
    expect(new Set(secrets).size).toBe(1_000);
    expect(secrets.every((secret) => /^[0-9A-Za-z]{43}$/.test(secret))).toBe(true);
  });

  it('has 256 random bits: every position takes every digit', () => {
    const secrets = Array.from({ length: 2_000 }, randomSecret);
    const places = Array.from({ length: 43 }, (_, place) => new Set(secrets.map((secret) => secret[place])).size);
    expect(Math.min(...places)).toBe(62);
  });
});

describe('a refresh token', () => {
  it('names its family and is stored as the hash of its secret', () => {
    const [familyId, secret] = [newFamilyId(), randomSecret()];
    const text = refreshTokenText(familyId, secret);
    expect(text).toMatch(/^svcr_[0-9A-Za-z]{22}\.[0-9A-Za-z]{43}$/);
    const secretHash = new Uint8Array(createHash('sha256').update(secret).digest());
    expect(parseRefreshToken(text)).toEqual({ familyId, secret, secretHash });
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

describe('the next secret', () => {
  const one = createSecretChain([Buffer.alloc(32, 7)]);
  const chain = (...given: Parameters<typeof one>) => one(...given)[0] ?? '';
  const newToken = (): PresentedToken => {
    const secret = randomSecret();
    return { familyId: newFamilyId(), secret, secretHash: hashSecret(secret) };
  };
  const token = newToken();
  const key = 'k'.repeat(16);

  it('is always the same, even after a restart, and looks like any other secret', () => {
    expect(one(token, key)).toEqual(createSecretChain([Buffer.alloc(32, 7)])(token, key));
    const secrets = Array.from({ length: 500 }, () => chain(newToken(), key));
    expect(new Set(secrets).size).toBe(500);
    for (const secret of secrets) expect(parseRefreshToken(refreshTokenText(token.familyId, secret))?.secret).toBe(secret);
  });

  it.each<[string, () => string]>([
    ['presented secret', () => chain({ ...token, secret: randomSecret() }, key)],
    ['family', () => chain({ ...token, familyId: newFamilyId() }, key)],
    ['client key', () => chain(token, `${key}k`)],
    ['installation', () => createSecretChain([Buffer.alloc(32, 8)])(token, key)[0] ?? ''],
  ])('differs for a different %s', (_, other) => expect(other()).not.toBe(chain(token, key)));

  it('exists once for each key of the installation, in key order', () => {
    const other = createSecretChain([Buffer.alloc(32, 8)])(token, key);
    const both = createSecretChain([Buffer.alloc(32, 8), Buffer.alloc(32, 7)])(token, key);
    expect(both).toEqual([...other, chain(token, key)]);
  });

  it("cannot be computed from stored data: hashes, marks and the installation's key", () => {
    const { familyId, secretHash } = token;
    const stored = [secretHash, markOf(token, key)].map((bytes) => Buffer.from(bytes).toString('hex'));
    for (const secret of ['', ...stored]) expect(chain({ familyId, secret, secretHash }, key)).not.toBe(chain(token, key));
  });
});

describe('an exchange mark', () => {
  it('is 8 bytes in its own memory and depends only on secret and key', () => {
    const one = { familyId: 'f', secret: 'a', secretHash: new Uint8Array() };
    const mark = markOf(one, 'k');
    expect([mark.length, mark.buffer.byteLength]).toEqual([8, 8]);
    expect(markOf({ ...one, familyId: 'g' }, 'k')).toEqual(mark);
    for (const other of [markOf({ ...one, secret: 'b' }, 'k'), markOf(one, 'l')]) expect(other).not.toEqual(mark);
  });
});
