/** What happens once an element is seen. */
import { type RefCallback, useCallback, useRef } from 'react';

/** How far below what is visible an element counts as seen. */
const margin = '0px 0px 400px';

/** Returns a ref for an element. `onSeen` is called when it comes into view, wherever it scrolls. */
export function useSeen<Element extends HTMLElement>(onSeen: () => void): RefCallback<Element> {
  const latest = useRef(onSeen);
  latest.current = onSeen;
  return useCallback((element) => {
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}
