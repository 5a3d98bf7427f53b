/** A run of some work that has ended. */
export interface EndedRun {
  readonly hasFailed: boolean;
  readonly milliseconds: number;
}

/**
 * Returns a function that calls `make` and keeps its promise, even a rejected one, for the milliseconds that `keepMilliseconds` returns once
 * it has settled. Calls that come before it settles share it. `now` is in milliseconds.
 */
export function keptFor<Result>(
  make: () => Promise<Result>,
  keepMilliseconds: (run: EndedRun) => number,
  now: () => number,
): () => Promise<Result> {
  let kept: Promise<Result> | undefined;
  let keptUntil = Number.POSITIVE_INFINITY;
  return () => {
    const begunAt = now();
    if (kept !== undefined && begunAt < keptUntil) return kept;
    keptUntil = Number.POSITIVE_INFINITY;
    const end = (hasFailed: boolean) => {
      const endedAt = now();
      keptUntil = endedAt + keepMilliseconds({ hasFailed, milliseconds: endedAt - begunAt });
    };
    kept = (async () => make())();
    kept.then(
      () => end(false),
      () => end(true),
    );
    return kept;
  };
}
