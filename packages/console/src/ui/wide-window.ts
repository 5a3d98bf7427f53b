/** Whether a window is wide or high, which may change while a page is open. */
import { useSyncExternalStore } from 'react';

/** Returns a hook that says whether a media query holds. */
function media(query: string): () => boolean {
  const list = matchMedia(query);
  const onChange = (listener: () => void) => {
    list.addEventListener('change', listener);
    return () => list.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(onChange, () => list.matches);
}

/** Returns a hook that says whether the window has at least `pixels` of width: one more than a `--window-…` token. */
export const wideWindow = (pixels: 641 | 901 | 1101): (() => boolean) => media(`(min-width: ${pixels}px)`);

/** Whether the window has room for more than the buttons at the end of a dialog. */
export const useIsHigh = media('(min-height: 600px)');
