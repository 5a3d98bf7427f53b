/** A choice that takes effect once it stays the same, so that nothing is read for choices that are only passed on the way. */
import { useEffect, useRef, useState } from 'react';

const restMs = 180;

/** Returns a value that changes now and then at once, and one that changes fast only when it stays the same. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    const now = Date.now();
    const isFast = now - changedAt.current < restMs;
    changedAt.current = now;
    if (!isFast) return setSettled(value);
    const timer = setTimeout(() => setSettled(value), restMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
