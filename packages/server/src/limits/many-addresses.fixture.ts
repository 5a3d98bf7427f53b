import { RateLimit, type RateLimitOptions } from './rate-limit.ts';

/** A different address for each number. */
export const addressOf = (index: number) => `${index >> 16}.${(index >> 8) & 255}.${index & 255}.7`;

/** A limit of five requests that has counted one request from each of this many addresses. */
export function takeOfEach(store: RateLimitOptions['store'], addresses: number): RateLimit {
  const limit = new RateLimit({ store, name: 'l', now: () => 1_000 });
  for (let index = 0; index < addresses; index++) limit.take(addressOf(index), 5, () => undefined);
  return limit;
}
