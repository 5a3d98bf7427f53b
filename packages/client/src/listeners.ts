import { runtime } from './runtime.ts';

/**
 * Tells listeners, one after the other. What one of them throws reaches the global handler of the runtime, and neither the others nor
 * the caller.
 */
export function tellAll<Given extends readonly unknown[]>(
  listeners: Iterable<((...given: Given) => unknown) | undefined>,
  ...given: Given
): void {
  for (const listener of [...listeners]) {
    try {
      listener?.(...given);
    } catch (error) {
      report(error);
    }
  }
}

function report(error: unknown): void {
  const thrown = (): never => {
    throw error;
  };
  if (runtime.reportError === undefined) setTimeout(thrown);
  else runtime.reportError(error);
}
