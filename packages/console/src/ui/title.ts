/** The title of the window. */
import { useEffect } from 'react';
import { plain } from './plain-text.ts';

/** Shows the title; it stays as it was while that is undefined. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${plain(title)} – Holdfast`;
  }, [title]);
}
