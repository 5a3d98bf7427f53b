/** What rules are tried on: a document as a form or as JSON, or a patch as JSON. */
import type { SchemaCheckBody } from '@holdfast/contract';
import { isJsonObject, type JsonObject, type JsonValue, pathOfPointer } from '@holdfast/json';
import { lazy, type ReactNode, type RefObject, useRef, useState } from 'react';
import { emptyDocument, formatted } from '../../api/state.ts';
import { CodeEditor } from '../../editor/loaded-editor.tsx';
import { type TypedValue, useTypedValue } from '../../editor/typed-value.ts';
import type { FormHandle } from '../../form/form-view.tsx';
import { type Finding, readText } from '../../json-text/document-text.ts';
import { faultSentence } from '../../json-text/json-faults.ts';
import { textsOf, useTexts, withTexts } from '../../texts/index.ts';
import { violationText } from '../../texts/violations.ts';
import { Notice, Segments } from '../../ui/controls.tsx';
import { plain } from '../../ui/plain-text.ts';

const [useFormTexts] = textsOf('forms');
const [useSchemaTexts] = textsOf('schemas');

const FormView = lazy(async () => ({ default: (await withTexts(import('../../form/form-view.tsx'))).FormView }));

/** A document as a form or as JSON, or a patch. */
const triedViews = ['form', 'json', 'ops'] as const;
export type TriedView = (typeof triedViews)[number];
export type Subject = 'state' | 'ops';
export const subjectOf = (view: TriedView): Subject => (view === 'ops' ? view : 'state');

export interface Tried extends TypedValue<JsonValue> {
  readonly view: TriedView;
  /** Shows another view, unless the text is faulty. */
  readonly show: (view: TriedView) => void;
  readonly findings: readonly Finding[];
  readonly form: RefObject<FormHandle | null>;
  /** Marks the values that break a rule. Returns the JSON Pointers of those with the reason beside them. */
  readonly mark: (violations: SchemaCheckBody['violations']) => ReadonlySet<string>;
  /** Shows the target of a JSON Pointer. */
  readonly goTo: (pointer: string) => void;
}

export function useTried(view: TriedView, first: JsonValue, onShow: (view: TriedView, value: JsonValue) => void): Tried {
  const typed = useTypedValue(first, (text) => readText(text, view === 'ops'));
  const { editor, take } = typed;
  const form = useRef<FormHandle>(null);
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const show = (next: TriedView) => {
    const value = take();
    if (value !== undefined) onShow(next, value);
  };
  const mark = (violations: SchemaCheckBody['violations']) => {
    const marks = violations.map((one) => ({ path: one.path, message: violationText(one), severity: 'error' as const }));
    editor.current?.show(marks);
    const beside = new Set(view === 'form' ? marks.map(({ path }) => path).filter(hasField) : []);
    // The list below the form has the other reasons.
    const reasonOf = (path: string) =>
      marks.flatMap((one) => (beside.has(path) && one.path === path ? [plain(one.message)] : [])).join('; ');
    setFindings(marks.map((one) => ({ ...one, message: reasonOf(one.path) })));
    return beside;
  };
  const goTo = (pointer: string) =>
    view === 'form' ? form.current?.open(pathOfPointer(pointer)) : editor.current?.goToPointer(pointer);
  return { ...typed, view, show, findings, form, mark, goTo };
}

/** Whether the form shows a field of its own for a value: cells of a table have no room for a reason. */
function hasField(pointer: string): boolean {
  const field = document.querySelector(`.check-form [data-at="${CSS.escape(pointer)}"]`);
  return field?.checkVisibility() === true && field.closest('.grid-view') === null;
}

interface TriedEditorProps {
  readonly tried: Tried;
  readonly schema: JsonValue;
  /** What a check does. */
  readonly text: string;
  /** Whether it has changed since the last check. */
  readonly isNew: boolean;
  readonly onChange: () => void;
  readonly onSave: () => void;
  /** What a check needs besides. */
  readonly children: ReactNode;
}

export function TriedEditor({ tried, schema, text, isNew, onChange, onSave, children }: TriedEditorProps) {
  const s = useSchemaTexts();
  const f = useFormTexts();
  const { view, show, fault } = tried;
  const names = { form: f.form, json: 'JSON', ops: s.onlyChange };
  return (
    <>
      {fault && <Notice kind="bad">{faultSentence(fault)}</Notice>}
      <div className={view === 'form' ? 'check-editor check-form' : 'check-editor'}>
        <div className="check-bar">
          <Segments
            label={s.checkOf}
            value={view}
            onChange={show}
            options={triedViews.map((value) => ({ value, label: names[value] }))}
          />
          <p className="hint">{text}</p>
          {children}
        </div>
        {view === 'form' ? (
          <TriedForm tried={tried} schema={schema} isNew={isNew} onChange={onChange} />
        ) : (
          <TriedText tried={tried} onChange={onChange} onSave={onSave} />
        )}
      </div>
    </>
  );
}

type TriedFormProps = Pick<TriedEditorProps, 'tried' | 'schema' | 'isNew' | 'onChange'>;

function TriedForm({ tried: { form, steps, findings }, schema, isNew, onChange }: TriedFormProps) {
  const after = (change: () => void) => () => {
    change();
    onChange();
  };
  return (
    <FormView
      ref={form}
      value={isJsonObject(steps.now) ? steps.now : emptyDocument}
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
  const { view, steps, editor, forgetFault } = tried;
  const isDocument = view !== 'ops';
  return (
    <CodeEditor
      ref={editor}
      initialText={formatted(steps.now)}
      label={isDocument ? t.state.editor : s.opsEditor}
      isAnyJson={!isDocument}
      onChange={() => {
        forgetFault();
        onChange();
      }}
      onSave={onSave}
    />
  );
}

const noFindings: readonly [] = [];
const noPath: readonly string[] = [];
