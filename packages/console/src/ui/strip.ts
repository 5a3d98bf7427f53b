/** A strip of tabs that scrolls sideways. */
import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls the current tab to the middle. */
function centre(strip: HTMLElement): void {
  const tab = strip.querySelector('[aria-current]');
  if (tab === null) return;
  const [all, one] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()];
  strip.scrollLeft += one.left + one.width / 2 - (all.left + all.width / 2);
}

/**
 * Returns the reference for a strip. Its current tab is in view whenever `current` or a width changes, and `data-cut` says at which edges
 * tabs are hidden: `start`, `end` or both.
 */
export function useStrip<Strip extends HTMLElement>(current: string | undefined): RefObject<Strip | null> {
  const strip = useRef<Strip>(null);
  useEffect(() => {
    const shown = strip.current;
    if (shown === null) return;
    const mark = () => {
      const rest = shown.scrollWidth - shown.clientWidth - Math.abs(shown.scrollLeft);
      shown.dataset.cut = [shown.scrollLeft !== 0 && 'start', rest > 1 && 'end'].filter(Boolean).join(' ');
    };
    shown.addEventListener('scroll', mark, { passive: true });
    const sizes = new ResizeObserver(() => {
      centre(shown);
      mark();
    });
    for (const one of [shown, ...shown.children]) sizes.observe(one); // a tab widens when it is marked
    return () => {
      shown.removeEventListener('scroll', mark);
      sizes.disconnect();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another current tab scrolls
  useEffect(() => {
    if (strip.current !== null) centre(strip.current);
  }, [current]);
  return strip;
}
