/** The feature flags of a client. The evaluation module is loaded for the first call. */
import type { FlagParts, Flags } from './types.ts';

/** Returns the flags of a client, and a function that ends all their subscriptions. */
export function flagsOf(parts: FlagParts): { readonly flags: Flags; close(): void } {
  const open = new Set<AbortController>();
  const load = () => import('./watch.ts');
  const flags: Flags = {
    evaluate: async (...given) => (await load()).evaluateFlags(parts, ...given),
    subscribe(listener, options) {
      const controller = new AbortController();
      open.add(controller);
      controller.signal.addEventListener('abort', () => open.delete(controller));
      void load().then(({ watchFlags }) => watchFlags(parts, controller, listener, options));
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
