/** A value that is edited as a form or as JSON. Leaving the JSON applies its text. */
import type { JsonValue } from '@holdfast/json';
import { type RefObject, useRef, useState } from 'react';
import { formatted } from '../api/state.ts';
import type { DocumentText } from '../json-text/document-text.ts';
import type { JsonFault } from '../json-text/json-fault.ts';
import type { CodeEditorHandle } from './code-editor.tsx';
import { type Steps, useSteps } from './steps.ts';

export interface TypedValue<Value extends JsonValue> {
  readonly steps: Steps<Value>;
  /** The editor of its JSON, while that is shown. */
  readonly editor: RefObject<CodeEditorHandle | null>;
  /** The fault of the text when it was last applied. */
  readonly fault: JsonFault | undefined;
  readonly forgetFault: () => void;
  /** Applies the text, and returns its value. If the text is faulty, shows the fault and returns undefined. */
  readonly take: () => Value | undefined;
}

export function useTypedValue<Value extends JsonValue>(
  first: Value,
  read: (text: string) => DocumentText<Value>,
): TypedValue<Value> {
  const editor = useRef<CodeEditorHandle>(null);
  const steps = useSteps(first);
  const [fault, setFault] = useState<JsonFault>();
  const take = () => {
    const text = editor.current?.text();
    if (text === undefined) return steps.now;
    const typed = read(text);
    setFault(typed.kind === 'fault' ? typed.fault : undefined);
    if (typed.kind === 'fault') {
      editor.current?.goTo(typed.position);
      return undefined;
    }
    if (text === formatted(steps.now)) return steps.now;
    steps.change(typed.value);
    return typed.value;
  };
  return { steps, editor, fault, forgetFault: () => setFault(undefined), take };
}
