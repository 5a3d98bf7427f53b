import { expect, test } from 'vitest';
import { strengths } from '../../storage/store-suite/sign-in/sign-in-records.ts';
import { isStrong, isTooWeak, standingOf } from './account-status.ts';

// The suite of the store expects the same of its statements.
test.each(strengths)('$amr is as strong here as in the store', ({ amr, isStrong: expected }) => {
  expect(isStrong(amr)).toBe(expected);
  expect(isTooWeak({ requireSecondFactor: true }, amr)).toBe(!expected);
  expect(isTooWeak({ requireSecondFactor: false }, amr)).toBe(false);
});

test('the standing of an account says whether it is suspended and when its sessions were ended', () => {
  const account = { accountId: 'acc_1', name: 'A', idpTenantId: 't', createdAt: 1, requireSecondFactor: false };
  const standing = (suspendedAt: number | null, signedOutAt: number | null) =>
    standingOf({ ...account, suspendedAt, signedOutAt });
  expect(standing(null, null)).toEqual({ isSuspended: false, signedOutAt: 0 });
  expect(standing(0, null)).toEqual({ isSuspended: true, signedOutAt: 0 });
  expect(standing(null, 7)).toEqual({ isSuspended: false, signedOutAt: 7 });
});
