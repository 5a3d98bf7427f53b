import { runtime } from './runtime.ts';

/** Calls listeners one after another. An exception reaches the runtime's global handler, but neither other listeners nor the caller. */
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
