/** Whether the editor of a document has a step to undo, and one to redo. */
import type { JsonValue } from '@holdfast/json';
import { type RefObject, useEffect, useState } from 'react';
import type { DocumentText } from '../json-text/document-text.ts';

export interface EditorSteps {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

const none: EditorSteps = { canUndo: false, canRedo: false };

/** The steps of the editor when its text was last read. */
export function useEditorSteps(
  editor: RefObject<{ steps(): EditorSteps } | null>,
  read: DocumentText<JsonValue>,
): EditorSteps {
  const [steps, setSteps] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they change with the text
  useEffect(
    () =>
      setSteps((before) => {
        const next = editor.current?.steps() ?? none;
        return before.canUndo === next.canUndo && before.canRedo === next.canRedo ? before : next;
      }),
    [editor, read],
  );
  return steps;
}
