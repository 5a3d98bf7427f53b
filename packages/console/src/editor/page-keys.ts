/** The keys of a page with an editor, such as Ctrl+S. */
import { useEffect, useRef } from 'react';

/** Runs an action when Ctrl or ⌘ is pressed with its letter, wherever the page has the focus. Dialogs and the editor take theirs first. */
export function usePageKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.defaultPrevented) return;
      const action = latest.current[event.key.toLowerCase()];
      if (action === undefined || document.querySelector('[role="dialog"]') !== null) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
