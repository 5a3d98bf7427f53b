import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serviceAccountAuth } from './service-account.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An `auth` whose service issues tokens that are named by their number and live for so many seconds. */
function authFor(expiresIn: number) {
  let issued = 0;
  const send = vi.fn(async () => Response.json({ access_token: `t${++issued}`, expires_in: expiresIn }));
  return { send, auth: serviceAccountAuth({ id: 'sa_1', secret: 'svcs_1' }, 'https://state.example', send) };
}

test.each([
  [900, 840],
  [100, 80],
])('a token of %d s is renewed after %d s, by a caller who does not wait', async (expiresIn, renewedAfter) => {
  const { auth, send } = authFor(expiresIn);
  expect(await auth.authorization()).toBe('Bearer t1');
  await vi.advanceTimersByTimeAsync(renewedAfter * 1_000 - 1);
  expect(await auth.authorization()).toBe('Bearer t1');
  expect(send).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await auth.authorization()).toBe('Bearer t1');
  await vi.advanceTimersByTimeAsync(0);
  expect([await auth.authorization(), send.mock.calls.length]).toEqual(['Bearer t2', 2]);
});

test('a token is used until its last second', async () => {
  const { auth } = authFor(100);
  await auth.authorization();
  await vi.advanceTimersByTimeAsync(98_999);
  expect(await auth.authorization()).toBe('Bearer t1');
});

test('a token is not used in its last second, and all who wait share the next', async () => {
  const { auth, send } = authFor(100);
  await auth.authorization();
  await vi.advanceTimersByTimeAsync(99_000);
  expect(await Promise.all([auth.authorization(), auth.authorization()])).toEqual(['Bearer t2', 'Bearer t2']);
  expect(send).toHaveBeenCalledTimes(2);
});
