/** The title of the window. */
import { useEffect } from 'react';
import { plain } from './plain-text.ts';

/** Sets the title; undefined leaves it unchanged. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${plain(title)} – Holdfast`;
  }, [title]);
}
