import { describe, expect, it } from 'vitest';
import { checkCertificate } from './base-url.ts';
import { checkClocks } from './network.ts';

const day = 24 * 60 * 60 * 1000;
const time = Date.UTC(2026, 5, 1);

describe('the clock of the database', () => {
  it.each<[number, string | null, RegExp]>([
    [0, null, /^is 0\.0 s ahead of/],
    [5_000, null, /^is 5\.0 s ahead of/],
    [5_100, 'warning', /^is 5\.1 s ahead of/],
    [-90_000, 'warning', /^is 90\.0 s behind that of this machine$/],
  ])('is compared when it is %d ms ahead: %s', (offset, level, answer) => {
    expect(checkClocks(offset)).toMatchObject({ level, answer: expect.stringMatching(answer) });
  });
});

describe('a certificate', () => {
  it.each<[string | null, number, string | null, RegExp]>([
    [null, 14 * day, null, /\(14 days\)$/],
    [null, 14 * day - 1, 'warning', /\(13 days\)$/],
    ['CERT_HAS_EXPIRED', -day, 'error', /^has expired \(CERT_HAS_EXPIRED\)$/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', -day, 'error', /self-signed.*, and expired on 2026-05-31$/],
    ['SOMETHING_NEW', day, 'error', /^is not trusted \(SOMETHING_NEW\)$/],
  ])('is checked with the fault %s and %d ms left', (fault, left, level, answer) => {
    const checked = checkCertificate('the certificate', { fault, validTo: time + left }, time);
    expect(checked).toMatchObject({ level, answer: expect.stringMatching(answer) });
  });
});
