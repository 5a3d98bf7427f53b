/** Limits log lines that any request can cause. */

const linesMax = 10;
const windowMilliseconds = 10_000;

interface Window {
  readonly endsAt: number;
  lines: number;
  withheld: number;
}

export interface Flood {
  /** Whether to write a line of this kind. There are few kinds. */
  admits(kind: string): boolean;
  /** Reports the lines withheld so far. */
  close(): void;
}

/**
 * Lets ten lines of a kind through in ten seconds and counts the others. After the ten seconds, `onEnd` is called with that count. `now`
 * returns milliseconds.
 */
export function createFlood(onEnd: (kind: string, withheld: number) => void, now: () => number): Flood {
  const windows = new Map<string, Window>();
  let timer: NodeJS.Timeout | undefined;

  const endAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const kind of windows.keys()) end(kind);
  };
  const end = (kind: string): void => {
    const withheld = windows.get(kind)?.withheld ?? 0;
    windows.delete(kind);
    if (withheld > 0) onEnd(kind, withheld);
  };

  return {
    admits(kind) {
      const nowMilliseconds = now();
      if (nowMilliseconds >= (windows.get(kind)?.endsAt ?? 0)) end(kind);
      const window = windows.get(kind) ?? { endsAt: nowMilliseconds + windowMilliseconds, lines: 0, withheld: 0 };
      windows.set(kind, window);
      if (window.lines < linesMax) {
        window.lines++;
        return true;
      }
      window.withheld++;
      timer ??= setTimeout(endAll, windowMilliseconds).unref();
      return false;
    },
    close: endAll,
  };
}
