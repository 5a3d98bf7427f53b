/** Whether a window is wide, which may change while a page is open. */
import { useSyncExternalStore } from 'react';

/** Returns a hook that says whether the window has at least `pixels` of width. */
export function wideWindow(pixels: number): () => boolean {
  const query = matchMedia(`(min-width: ${pixels}px)`);
  const onChange = (listener: () => void) => {
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(onChange, () => query.matches);
}
