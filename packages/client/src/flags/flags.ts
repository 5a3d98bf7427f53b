/** The feature flags of a client. The evaluation module is loaded for the first call, and again after it could not be loaded. */
import { asHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import type { FlagParts, Flags } from './types.ts';

/** Returns the flags of a client, and a function that ends all their subscriptions. */
export function flagsOf(parts: FlagParts): { readonly flags: Flags; close(): void } {
  const open = new Set<AbortController>();
  const load = () =>
    import('./watch.ts').catch((failure) => {
      throw asHoldfastError(failure);
    });
  const flags: Flags = {
    evaluate: (...given) => load().then(({ evaluateFlags }) => evaluateFlags(parts, ...given)),
    subscribe(listener, options) {
      const controller = new AbortController();
      open.add(controller);
      controller.signal.addEventListener('abort', () => open.delete(controller));
      load().then(
        ({ watchFlags }) => watchFlags(parts, controller, listener, options),
        (failure) => {
          if (open.has(controller)) tellAll([options?.onError], failure);
          controller.abort();
        },
      );
      return () => controller.abort();
    },
  };
  return {
    flags,
    close: () => {
      for (const controller of open) controller.abort();
    },
  };
}
