/** What happens once an element is seen. */
import { type RefCallback, useCallback, useRef } from 'react';

/** When an element counts as seen. */
interface Seen {
  /** How far below what is visible it may be, in pixels. */
  readonly aheadPx: number;
  /** How long it must stay there, in milliseconds. */
  readonly forMs: number;
}

/** Just before it comes into view. */
const soon: Seen = { aheadPx: 400, forMs: 0 };

/** Once it has been visible for a moment, so that scrolling past costs nothing. */
export const atRest: Seen = { aheadPx: 0, forMs: 150 };

/** Returns a ref for an element. `onSeen` is called whenever it has come into view, wherever it scrolls. */
export function useSeen<Element extends HTMLElement>(
  onSeen: () => void,
  { aheadPx, forMs }: Seen = soon,
): RefCallback<Element> {
  const latest = useRef(onSeen);
  latest.current = onSeen;
  return useCallback(
    (element) => {
      if (element === null) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const observer = new IntersectionObserver(
        (entries) => {
          clearTimeout(timer);
          if (entries.at(-1)?.isIntersecting === true) timer = setTimeout(() => latest.current(), forMs);
        },
        { rootMargin: `0px 0px ${aheadPx}px` },
      );
      observer.observe(element);
      return () => {
        clearTimeout(timer);
        observer.disconnect();
      };
    },
    [aheadPx, forMs],
  );
}
