/** Whether the service can be reached, according to the last requests. While it cannot, it is polled. */
import { isHoldfastError } from '@holdfast/client';
import { baseUrl } from './addresses.ts';

const firstProbeMs = 1_000;
const probeMsMax = 10_000;
const listeners = new Set<() => void>();
let isReachable = navigator.onLine;
let timer: ReturnType<typeof setTimeout> | undefined;

export const connection = {
  get isReachable(): boolean {
    return isReachable;
  },
  /** Calls the listener on each change. Returns a function that removes it. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Whether a request failed without a response. */
export const isLost = (error: unknown): boolean =>
  error instanceof TypeError || isHoldfastError(error, 'network_error') || isHoldfastError(error, 'timeout');

/** Updates the connection state from a request. */
export async function followed(request: Promise<Response>): Promise<Response> {
  try {
    const response = await request;
    setReachable(true);
    return response;
  } catch (error) {
    if (isLost(error)) setReachable(false);
    throw error;
  }
}

/** Asks the service immediately. */
export const probe = (): void => probeHealth(firstProbeMs);

function setReachable(next: boolean): void {
  if (next) clearTimeout(timer);
  else if (timer === undefined || isReachable) scheduleProbe(firstProbeMs);
  if (next) timer = undefined;
  if (next === isReachable) return;
  isReachable = next;
  for (const listener of listeners) listener();
}

function scheduleProbe(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => probeHealth(Math.min(ms * 2, probeMsMax)), ms);
}

function probeHealth(nextMs: number): void {
  fetch(`${baseUrl}/healthz`, { cache: 'no-store' }).then(
    () => setReachable(true),
    () => scheduleProbe(nextMs),
  );
}

addEventListener('offline', () => setReachable(false));
addEventListener('online', probe);
