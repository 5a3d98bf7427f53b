/** The keys for undo and redo, outside the editor of the text. */
import type { KeyboardEvent } from 'react';

/** Undo and redo of the document, in place of those of the input. */
export function runUndoKey(event: KeyboardEvent, onUndo: () => void, onRedo: () => void): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  if (key === 'z' && !event.shiftKey) onUndo();
  else onRedo();
}
