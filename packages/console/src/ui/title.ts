/** The title of the window, and the focus of a page that was gone to. */
import { useEffect } from 'react';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Holdfast`;
  }, [title]);
}
