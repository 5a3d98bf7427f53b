/** The codes of this package match the contract. */
import { type ErrorCode, errorCodes, type QuotaCode, quotaCodes, type TokenErrorCode } from '@holdfast/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { errorOf, type QuotaErrorCode, type ServiceErrorCode, type SignInErrorCode } from './errors.ts';

test('the codes equal those of the contract', () => {
  expectTypeOf<ServiceErrorCode>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<QuotaErrorCode>().toEqualTypeOf<QuotaCode>();
  expectTypeOf<SignInErrorCode>().toEqualTypeOf<TokenErrorCode | 'access_denied'>();
});

test('a failure has the code, status and details of its response, in every form', () => {
  const read = (status: number, body: unknown, headers = {}) =>
    errorOf({ status, headers: new Headers(headers), text: typeof body === 'string' ? body : JSON.stringify(body) });
  for (const [code, { status }] of Object.entries(errorCodes)) {
    expect(read(status, { error: code, message: 'why' })).toMatchObject({ code, status, message: 'why' });
  }
  for (const code of Object.keys(quotaCodes)) expect(read(402, { code, message: '' })).toMatchObject({ code });
  expect(read(400, { error: 'invalid_grant', error_description: 'used' })).toMatchObject({ message: 'used' });
  expect(read(403, '')).toMatchObject({ code: 'forbidden', retryAfter: undefined });
  expect(read(502, '<html>', { 'Retry-After': '5', 'X-Request-Id': 'r' })).toMatchObject({
    code: 'service_unavailable',
    retryAfter: 5,
    requestId: 'r',
  });
  expect(read(412, { error: 'version_conflict', currentVersion: 3, appliedVersion: 2 })).toMatchObject({
    currentVersion: 3,
    appliedVersion: 2,
  });
});
