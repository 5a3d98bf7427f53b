import { runtime } from '../runtime.ts';

/** A page that is hidden for a moment keeps its connection. */
const hiddenMs = 5_000;

const isHidden = (): boolean => runtime.document?.visibilityState === 'hidden';
const isOffline = (): boolean => runtime.navigator?.onLine === false;

/** Calls back when the page is shown or hidden, or the connection comes or goes. Returns a function that ends that. */
function listen(listener: () => void): () => void {
  runtime.document?.addEventListener?.('visibilitychange', listener);
  for (const type of ['online', 'offline']) runtime.addEventListener?.(type, listener);
  return () => {
    runtime.document?.removeEventListener?.('visibilitychange', listener);
    for (const type of ['online', 'offline']) runtime.removeEventListener?.(type, listener);
  };
}

/** Resolves when the page is shown and the machine has a connection; immediately where no pages exist. */
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

/** Runs work with a signal that is aborted when the page is hidden or the connection is gone. */
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
