/** A choice that is followed once it rests: what is passed on the way to it is not read. */
import { useEffect, useRef, useState } from 'react';

const restMs = 180;

/** Returns the value at once where it changes now and then; one that changes faster than that, when it stays. */
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
