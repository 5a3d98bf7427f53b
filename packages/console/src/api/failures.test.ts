/** Errors with a status of 500 or more are failures; all others are refusals. */
import { errorCodes } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { countErrors } from './failures.ts';

it('requests fail if the status of their code is 500 or more, and are refused otherwise', () => {
  const codes = Object.entries(errorCodes);
  const failing = codes.filter(([, { status }]) => status >= 500);
  const errors = [...codes.map(([code]) => ({ code, requests: 2 })), { code: 'QUOTA_STORAGE', requests: 5 }];
  expect(failing.length).toBeGreaterThan(1);
  expect(countErrors(errors)).toEqual({ refused: 2 * (codes.length - failing.length) + 5, failed: 2 * failing.length });
});
