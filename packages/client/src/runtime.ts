/** The browser features that the package uses if available. Not every runtime has them. */
export interface Runtime {
  readonly localStorage?: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  readonly indexedDB?: unknown;
  readonly location?: { readonly href: string; assign(url: string): void };
  readonly history?: { readonly state: unknown; replaceState(state: unknown, unused: string, url: string): void };
  readonly document?: {
    readonly visibilityState: string;
    readonly hasFocus?: () => boolean;
    readonly addEventListener?: (type: string, listener: () => void) => void;
    readonly removeEventListener?: (type: string, listener: () => void) => void;
  };
  readonly navigator?: {
    readonly product?: string;
    readonly onLine?: boolean;
    readonly locks?: {
      request<Result>(
        name: string,
        options: { readonly signal?: AbortSignal; readonly ifAvailable?: boolean },
        held: (lock: unknown) => Promise<Result>,
      ): Promise<Result>;
    };
  };
  readonly performance?: {
    readonly getEntriesByType?: (type: string) => readonly { readonly name: string; readonly nextHopProtocol?: string }[];
  };
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly addEventListener?: (type: string, listener: (event: { readonly key?: string | null }) => void) => void;
  readonly removeEventListener?: (type: string, listener: (event: { readonly key?: string | null }) => void) => void;
  readonly open?: (url: string, target: string, features: string) => OpenedWindow | null;
  readonly close?: () => void;
  readonly reportError?: (error: unknown) => void;
}

export interface OpenedWindow {
  readonly closed?: boolean;
  location: { href: string };
}

export const runtime = globalThis as unknown as Runtime;

/** A unique text. It is not secret: some runtimes have no `crypto`. */
export function randomId(): string {
  return globalThis.crypto?.randomUUID?.() ?? [0, 0, 0, 0].map(() => Math.random().toString(36).slice(2)).join('');
}

/** A copy of a state. Not every runtime has structuredClone. */
export const copyOf = <Value>(value: Value): Value =>
  globalThis.structuredClone?.(value) ?? JSON.parse(JSON.stringify(value));

/** Timers set for longer fire immediately. */
export const timerMsMax = 2 ** 31 - 1;

/** Waits; rejects with the signal's reason when aborted. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(milliseconds, timerMsMax),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A random time between zero and a maximum that doubles with each attempt, so that clients that failed together do not return together. */
export function backoff(attempt: number, firstMs: number, mostMs: number): number {
  return Math.random() * Math.min(mostMs, firstMs * 2 ** attempt);
}
