/** A value that is edited in steps, which can be undone. */
import type { JsonValue } from '@holdfast/json';
import { useState } from 'react';

export interface Steps<Value extends JsonValue> {
  readonly now: Value;
  readonly change: (value: Value) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

/** Changes in quick succession are one step. */
const pauseMs = 600;

export function useSteps<Value extends JsonValue>(first: Value): Steps<Value> {
  const [{ past, now, future }, set] = useState<{
    readonly past: readonly Value[];
    readonly now: Value;
    readonly future: readonly Value[];
    readonly at: number;
  }>({ past: [], now: first, future: [], at: 0 });
  return {
    now,
    change(value) {
      const at = Date.now();
      set((before) => ({
        past: at - before.at < pauseMs ? before.past : [...before.past, before.now],
        now: value,
        future: [],
        at,
      }));
    },
    undo() {
      const last = past.at(-1);
      if (last !== undefined) set({ past: past.slice(0, -1), now: last, future: [now, ...future], at: 0 });
    },
    redo() {
      const [next, ...rest] = future;
      if (next !== undefined) set({ past: [...past, now], now: next, future: rest, at: 0 });
    },
  };
}
