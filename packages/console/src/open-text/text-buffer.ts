/** Holds an open text while it is edited: an editor, or a plain text on pages without one. */
import { type RefObject, useEffect, useState } from 'react';
import { changed, type TextChange } from '../json-text/text-changes.ts';

/** Whether there is a step to undo, and one to redo. */
export interface TextSteps {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** A text with buttons for its steps. */
export interface Undoable extends TextSteps {
  undo(): void;
  redo(): void;
}

export interface TextBuffer {
  /** The current text. */
  text(): string;
  /** Replaces the text in one undoable step. A cursor keeps its position if possible. */
  setText(text: string): void;
  /** Changes parts of the text. Changes in quick succession are one undoable step, unless this one `isStep` by itself. */
  change(changes: readonly TextChange[], isStep?: boolean): void;
  undo(): void;
  redo(): void;
  steps(): TextSteps;
}

const none: TextSteps = { canUndo: false, canRedo: false };

/** A text without an editor, whose steps cannot be undone. */
export function plainBuffer(first: string): TextBuffer {
  let text = first;
  return {
    text: () => text,
    setText: (next) => {
      text = next;
    },
    change: (changes) => {
      text = changed(text, changes);
    },
    undo: () => undefined,
    redo: () => undefined,
    steps: () => none,
  };
}

/** The steps of a text when it was last `read`. */
export function useTextSteps(buffer: RefObject<TextBuffer | null>, read: unknown): TextSteps {
  const [steps, setSteps] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they change with the text
  useEffect(
    () =>
      setSteps((before) => {
        const next = buffer.current?.steps() ?? none;
        return before.canUndo === next.canUndo && before.canRedo === next.canRedo ? before : next;
      }),
    [buffer, read],
  );
  return steps;
}
