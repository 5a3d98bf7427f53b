/** What the provider tells OpenFeature of a subscription that is refused or ended. */
import { ProviderEvents } from '@openfeature/web-sdk';
import { expect, test } from 'vitest';
import { type AnyHoldfastError, HoldfastError } from './errors.ts';
import type { FlagOptions } from './flags/types.ts';
import { type FlagValues, valuesOf } from './flags/values.ts';
import { flagProvider } from './flags.ts';

const gold = valuesOf(new Map([['gold', { key: 'gold', value: 10, variant: 'few', reason: 'STATIC' }]]), undefined, false);
const refusal = new HoldfastError('unauthorized', 'the key has been revoked') as AnyHoldfastError;

/** A provider that has begun, and what its subscriptions would be sent. */
function begun() {
  const subscriptions: { tell(values: FlagValues): void; refuse(): void }[] = [];
  const subscribe = (tell: (values: FlagValues) => void, options?: FlagOptions) => {
    subscriptions.push({ tell, refuse: () => options?.onError?.(refusal) });
    return () => undefined;
  };
  const provider = flagProvider({ flags: { subscribe, evaluate: () => Promise.reject(refusal) } });
  const errors: unknown[] = [];
  provider.events?.addHandler(ProviderEvents.Error, (details) => errors.push(details?.message));
  return { provider, subscriptions, errors, ready: provider.initialize?.({}) };
}

test('a refusal after the first values is reported once, and the values stay', async () => {
  const { provider, subscriptions, errors, ready } = begun();
  subscriptions[0]?.tell(gold);
  await ready;
  subscriptions[0]?.refuse();
  subscriptions[0]?.refuse();
  expect(errors).toEqual(['the key has been revoked']);
  expect(provider.resolveNumberEvaluation('gold', 5, {}, console)).toMatchObject({ value: 10 });
});

test('a first answer that is a refusal fails the start, and is no event', async () => {
  const { subscriptions, errors, ready } = begun();
  subscriptions[0]?.refuse();
  await expect(ready).rejects.toBe(refusal);
  expect(errors).toEqual([]);
});

test('what a subscription for an earlier context or a closed provider is sent counts no more', async () => {
  const { provider, subscriptions, errors, ready } = begun();
  const changed = provider.onContextChange?.({}, { level: 2 });
  await ready;
  subscriptions[0]?.refuse();
  subscriptions[1]?.tell(gold);
  await changed;
  await provider.onClose?.();
  subscriptions[1]?.refuse();
  expect(errors).toEqual([]);
});
