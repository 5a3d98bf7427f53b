/** What rules are tried on: a document as a form or as JSON, or a patch as JSON. */
import type { SchemaCheckBody } from '@holdfast/contract';
import { isJsonObject, type JsonObject, type JsonValue } from '@holdfast/json';
import { lazy, type RefObject, useRef, useState } from 'react';
import { emptyDocument, formatted } from '../api/state.ts';
import type { FormHandle } from '../form/form-view.tsx';
import { pathOfPointer } from '../form/values.ts';
import type { CodeEditorHandle } from '../state/code-editor.tsx';
import { type Finding, readDocument, readText } from '../state/document-text.ts';
import type { DocumentView } from '../state/document-view.ts';
import type { JsonFault } from '../state/json-fault.ts';
import { type Steps, useSteps } from '../state/steps.ts';
import { useFormTexts } from '../texts/forms.ts';
import { useTexts } from '../texts/index.ts';
import { faultSentence } from '../texts/json-faults.ts';
import { useSchemaTexts } from '../texts/schemas.ts';
import { violationText } from '../texts/violations.ts';
import { Notice, Segments } from '../ui/controls.tsx';

const CodeEditor = lazy(async () => ({ default: (await import('../state/code-editor.tsx')).CodeEditor }));
const FormView = lazy(async () => ({ default: (await import('../form/form-view.tsx')).FormView }));

export interface Tried {
  /** Whether it is a document, which has a form. */
  readonly isDocument: boolean;
  readonly view: DocumentView;
  readonly show: (view: DocumentView) => void;
  readonly steps: Steps;
  readonly text: string;
  readonly fault: JsonFault | undefined;
  readonly forgetFault: () => void;
  readonly findings: readonly Finding[];
  readonly editor: RefObject<CodeEditorHandle | null>;
  readonly form: RefObject<FormHandle | null>;
  /** Returns the value; if the text is none, shows the fault and returns undefined. */
  readonly take: () => JsonValue | undefined;
  /** Marks the values that break a rule. */
  readonly mark: (violations: SchemaCheckBody['violations']) => void;
  /** Shows the target of a JSON Pointer. */
  readonly goTo: (pointer: string) => void;
}

export function useTried(subject: 'state' | 'ops', first: JsonValue): Tried {
  const isDocument = subject === 'state';
  const editor = useRef<CodeEditorHandle>(null);
  const form = useRef<FormHandle>(null);
  const steps = useSteps(isJsonObject(first) ? first : emptyDocument);
  const [view, setView] = useState<DocumentView>(isDocument ? 'form' : 'json');
  const [fault, setFault] = useState<JsonFault>();
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const take = (): JsonValue | undefined => {
    const text = editor.current?.text();
    if (view === 'form' || text === undefined) return steps.now;
    const read = isDocument ? readDocument(text) : readText(text, true);
    setFault(read.kind === 'fault' ? read.fault : undefined);
    if (read.kind === 'document') return read.value;
    editor.current?.goTo(read.position);
    return undefined;
  };
  const show = (next: DocumentView) => {
    const value = take();
    if (value === undefined || !isJsonObject(value)) return;
    if (formatted(value) !== formatted(steps.now)) steps.change(value);
    setView(next);
  };
  const mark = (violations: SchemaCheckBody['violations']) => {
    const marks = violations.map((one) => ({ path: one.path, message: violationText(one), severity: 'error' as const }));
    editor.current?.show(marks);
    setFindings(marks);
  };
  const goTo = (pointer: string) =>
    view === 'form' ? form.current?.open(pathOfPointer(pointer)) : editor.current?.goToPointer(pointer);
  const text = formatted(isDocument ? steps.now : first);
  const forgetFault = () => fault && setFault(undefined);
  return { isDocument, view, show, steps, text, fault, forgetFault, findings, editor, form, take, mark, goTo };
}

interface TriedEditorProps {
  readonly tried: Tried;
  readonly schema: JsonValue;
  /** Whether it has changed since the last check. */
  readonly isNew: boolean;
  readonly onChange: () => void;
  readonly onSave: () => void;
}

export function TriedEditor({ tried, schema, isNew, onChange, onSave }: TriedEditorProps) {
  const f = useFormTexts();
  const { isDocument, view, show, fault } = tried;
  return (
    <>
      {isDocument && (
        <div className="check-lead">
          <Segments
            label={f.view}
            value={view}
            onChange={show}
            options={[
              { value: 'form', label: f.form },
              { value: 'json', label: 'JSON' },
            ]}
          />
        </div>
      )}
      {fault && <Notice kind="bad">{faultSentence(fault)}</Notice>}
      <div className={view === 'form' ? 'check-editor check-form' : 'check-editor'}>
        {view === 'form' ? (
          <TriedForm tried={tried} schema={schema} isNew={isNew} onChange={onChange} />
        ) : (
          <TriedText tried={tried} onChange={onChange} onSave={onSave} />
        )}
      </div>
    </>
  );
}

function TriedForm({ tried: { form, steps, findings }, schema, isNew, onChange }: Omit<TriedEditorProps, 'onSave'>) {
  const after = (change: () => void) => () => {
    change();
    onChange();
  };
  return (
    <FormView
      ref={form}
      value={steps.now}
      schema={schema}
      findings={isNew ? noFindings : findings}
      initialPath={noPath}
      onChange={(document: JsonObject) => after(() => steps.change(document))()}
      onUndo={after(steps.undo)}
      onRedo={after(steps.redo)}
    />
  );
}

function TriedText({ tried, onChange, onSave }: Pick<TriedEditorProps, 'tried' | 'onChange' | 'onSave'>) {
  const t = useTexts();
  const s = useSchemaTexts();
  const { isDocument, editor, text, forgetFault } = tried;
  return (
    <CodeEditor
      ref={editor}
      initialText={text}
      label={isDocument ? t.state.editor : s.opsEditor}
      isAnyJson={!isDocument}
      onChange={() => {
        forgetFault();
        onChange();
      }}
      onCursor={() => undefined}
      onSave={onSave}
      onFormat={() => undefined}
    />
  );
}

const noFindings: readonly [] = [];
const noPath: readonly string[] = [];
