/** The feature flags of a client. The program that asks for them is loaded with the first call. */
import type { FlagParts, Flags } from './types.ts';

/** Returns the flags of a client. */
export function flagsOf(parts: FlagParts): Flags {
  const load = () => import('./watch.ts');
  return {
    evaluate: async (...given) => (await load()).evaluateFlags(parts, ...given),
    subscribe(listener, options) {
      const controller = new AbortController();
      void load().then(({ watchFlags }) => watchFlags(parts, controller, listener, options));
      return () => controller.abort();
    },
  };
}
