/**
 * Returns a function that runs `work`, one run at a time. Its promise settles with a run that began after the call; calls that come
 * meanwhile share that run.
 */
export function coalesced<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const begin = (): Promise<Result> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const afterRunning = async (underWay: Promise<Result>): Promise<Result> => {
    await underWay.catch(() => undefined); // the caller that began it gets the error
    next = undefined;
    return begin();
  };
  return () => {
    if (running === undefined) return begin();
    next ??= afterRunning(running);
    return next;
  };
}

/**
 * Returns a function that runs `work` for a key, as `coalesced` does, separately for each key. Nothing is kept for a key without callers.
 */
export function coalescedByKey<Result>(work: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const keys = new Map<string, { readonly run: () => Promise<Result>; callers: number }>();
  return async (key) => {
    const entry = keys.get(key) ?? { run: coalesced(() => work(key)), callers: 0 };
    keys.set(key, entry);
    entry.callers += 1;
    try {
      return await entry.run();
    } finally {
      entry.callers -= 1;
      if (entry.callers === 0) keys.delete(key);
    }
  };
}
