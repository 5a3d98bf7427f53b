/** Promises that are made once and kept, unless they are rejected. */

/**
 * Returns a function that calls `make` on its first call, and keeps the result. Calls that come meanwhile share it. If `make` fails, by a
 * throw or a rejection, the next call tries again.
 */
export function memoised<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    if (made !== undefined) return made;
    const making = make();
    made = making;
    making.catch(() => {
      if (made === making) made = undefined;
    });
    return making;
  };
}

/** A part of the program that is loaded on first use. */
export interface Loadable<Part> {
  /** Loads it, unless it is loaded. Rejects if loading fails; the next call tries again. */
  load(): Promise<Part>;
  /** Calls `use` if it is loaded, and otherwise loads nothing. */
  ifLoaded<Result>(use: (part: Part) => Result): Result | undefined;
}

/** Returns what `load` loads, on first use. */
export function loadable<Part>(load: () => Promise<Part>): Loadable<Part> {
  let loaded: { readonly part: Part } | undefined;
  return {
    load: memoised(async () => {
      const part = await load();
      loaded = { part };
      return part;
    }),
    ifLoaded: (use) => loaded && use(loaded.part),
  };
}
