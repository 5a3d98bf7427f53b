/**
 * Returns a function that runs `work`, one run at a time. Its promise settles with a run that began after the call; calls that come
 * meanwhile share that run.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const afterRunning = async (underWay: Promise<void>): Promise<void> => {
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
