/** A choice that takes effect once it stays the same, so that nothing is read for choices passed on the way. */
import { useEffect, useRef, useState } from 'react';

const debounceMs = 180;

/** Returns the value after a pause if it changes fast, or always if it `waits`; otherwise immediately. */
export function useDebounced<Value>(value: Value, waits = false): Value {
  const [settled, setSettled] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    const now = Date.now();
    const isFast = waits || now - changedAt.current < debounceMs;
    changedAt.current = now;
    if (!isFast) return setSettled(value);
    const timer = setTimeout(() => setSettled(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value, waits]);
  return settled;
}
