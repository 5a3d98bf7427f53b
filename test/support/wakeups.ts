/** What arrives on a connection, and who waits for it. */
export interface Wakeups {
  /** Makes every waiter look again. */
  wake(): void;
  /** Resolves with the first result of `look`, now or after a `wake`. Rejects if `look` throws, or with `late()` after this time. */
  waitFor<Result>(milliseconds: number, late: () => string, look: () => Result | undefined): Promise<Result>;
}

export function createWakeups(): Wakeups {
  const waiting = new Set<() => void>();
  return {
    wake() {
      for (const attempt of waiting) attempt();
    },
    waitFor<Result>(milliseconds: number, late: () => string, look: () => Result | undefined) {
      return new Promise<Result>((resolve, reject) => {
        const settle = (action: () => void) => {
          clearTimeout(alarm);
          waiting.delete(attempt);
          action();
        };
        const attempt = () => {
          try {
            const result = look();
            if (result !== undefined) settle(() => resolve(result));
          } catch (error) {
            settle(() => reject(error));
          }
        };
        const alarm = setTimeout(() => settle(() => reject(new Error(late()))), milliseconds);
        waiting.add(attempt);
        attempt();
      });
    },
  };
}
