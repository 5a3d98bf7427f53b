import { runtime } from '../runtime.ts';

/** A briefly hidden page keeps its connection. */
const hiddenMs = 5_000;

const isHidden = (): boolean => runtime.document?.visibilityState === 'hidden';
const isOffline = (): boolean => runtime.navigator?.onLine === false;

/** Calls back when the page is shown or hidden, or goes online or offline. Returns a function that ends this. */
function listen(listener: () => void): () => void {
  runtime.document?.addEventListener?.('visibilitychange', listener);
  for (const type of ['online', 'offline']) runtime.addEventListener?.(type, listener);
  return () => {
    runtime.document?.removeEventListener?.('visibilitychange', listener);
    for (const type of ['online', 'offline']) runtime.removeEventListener?.(type, listener);
  };
}

/** Resolves when the page is visible and the machine online; immediately if there are no pages. */
export function untilActive(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!signal.aborted && (isHidden() || isOffline())) return;
      stop();
      signal.removeEventListener('abort', look);
      resolve();
    };
    const stop = listen(look);
    signal.addEventListener('abort', look);
    look();
  });
}

/** Runs work with a signal that is aborted when the page is hidden or offline. */
export async function whileActive(signal: AbortSignal, work: (active: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (signal.aborted || isOffline()) controller.abort();
    else if (isHidden()) timer = setTimeout(() => controller.abort(), hiddenMs);
  };
  const stop = listen(look);
  signal.addEventListener('abort', look);
  look();
  try {
    await work(controller.signal);
  } finally {
    clearTimeout(timer);
    stop();
    signal.removeEventListener('abort', look);
  }
}
