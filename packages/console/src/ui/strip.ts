/** What scrolls sideways: strips of tabs, and wide tables. */
import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls the current tab to the middle. */
function centre(strip: HTMLElement): void {
  const tab = strip.querySelector('[aria-current]');
  if (tab === null) return;
  const [all, one] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()];
  strip.scrollLeft += one.left + one.width / 2 - (all.left + all.width / 2);
}

/** Marks at which edges an element that scrolls sideways hides something: its `data-cut` is `start`, `end` or both. */
function markCut(shown: HTMLElement): void {
  const rest = shown.scrollWidth - shown.clientWidth - Math.abs(shown.scrollLeft);
  const cut = [shown.scrollLeft !== 0 && 'start', rest > 1 && 'end'].filter(Boolean).join(' ');
  if (shown.dataset.cut !== cut) shown.dataset.cut = cut;
}

/** Keeps `data-cut` of an element, after `onSize` if its width or that of a child changes. Returns a function that ends it. */
function watchCut(shown: HTMLElement, onSize: () => void = () => undefined): () => void {
  const mark = () => markCut(shown);
  shown.addEventListener('scroll', mark, { passive: true });
  const sizes = new ResizeObserver(() => {
    onSize();
    mark();
  });
  for (const one of [shown, ...shown.children]) sizes.observe(one); // a tab widens when it is marked
  return () => {
    shown.removeEventListener('scroll', mark);
    sizes.disconnect();
  };
}

/** For the reference of an element that scrolls sideways, and fades where it hides something. */
export const fading = (shown: HTMLElement | null): (() => void) | undefined =>
  shown === null ? undefined : watchCut(shown);

/**
 * Returns the reference for a strip, which fades where it hides tabs. Its current tab is in view whenever `current` or a width changes.
 */
export function useStrip<Strip extends HTMLElement>(current: string | undefined): RefObject<Strip | null> {
  const strip = useRef<Strip>(null);
  useEffect(() => {
    const shown = strip.current;
    return shown === null ? undefined : watchCut(shown, () => centre(shown));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another current tab scrolls
  useEffect(() => {
    if (strip.current !== null) centre(strip.current);
  }, [current]);
  return strip;
}
