/** A choice that takes effect once it stays the same, so that nothing is read for choices passed on the way. */
import { useEffect, useRef, useState } from 'react';

const debounceMs = 180;

/** Returns the value immediately if it changes rarely, and after a pause if it changes fast. */
export function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    const now = Date.now();
    const isFast = now - changedAt.current < debounceMs;
    changedAt.current = now;
    if (!isFast) return setSettled(value);
    const timer = setTimeout(() => setSettled(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
