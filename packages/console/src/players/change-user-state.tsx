/** Edits a user state: first as a form or as its text, then the review of the changes with a comment. */
import { isSame } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { type SchemaKey, schemaQuery } from '../api/schemas.ts';
import { formatted, type StateRecord, type UserStateKey } from '../api/state.ts';
import type { CodeEditorHandle } from '../editor/code-editor.tsx';
import type { DocumentView } from '../editor/document-view.ts';
import { type Steps, useSteps } from '../editor/steps.ts';
import { rulesOf } from '../fields/document-hints.tsx';
import { FormView } from '../form/form-view.tsx';
import { readDocument } from '../json-text/document-text.ts';
import type { JsonFault } from '../json-text/json-fault.ts';
import { faultSentence } from '../json-text/json-faults.ts';
import { textsOf, useTexts, withTexts } from '../texts/index.ts';
import { Button, Notice, Segments, Skeleton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SaveTitle } from './save-title.tsx';
import { WriteUserState } from './write-user-state.tsx';
import './player.css';

const [useFormTexts] = textsOf('forms');
const [usePlayerTexts] = textsOf('players');

const CodeEditor = lazy(async () => ({ default: (await withTexts(import('../editor/code-editor.tsx'))).CodeEditor }));

/** The text in the editor, undefined while it is as shown first, and its fault. */
interface Typed {
  readonly typed?: string | undefined;
  readonly fault?: JsonFault | undefined;
}

interface ChangeUserStateProps {
  readonly userStateKey: UserStateKey;
  /** The user state when editing began. */
  readonly opened: StateRecord;
  readonly onClose: () => void;
}

export function ChangeUserState({ userStateKey, opened, onClose }: ChangeUserStateProps) {
  const t = useTexts();
  const p = usePlayerTexts();
  const f = useFormTexts();
  const editor = useRef<CodeEditorHandle>(null);
  const steps = useSteps(opened.state);
  const [view, setView] = useState<DocumentView>('form');
  const [isReviewing, setReviewing] = useState(false);
  const [{ typed, fault }, setText] = useState<Typed>({});
  const isChanged = !isSame(steps.now, opened.state) || (typed !== undefined && typed !== formatted(steps.now));
  /** Takes the text over. Returns false, and shows the fault, if it is not a document. */
  const takeText = (): boolean => {
    const text = editor.current?.text();
    if (view === 'form' || text === undefined) return true;
    const read = readDocument(text);
    setText({ typed: text, fault: read.kind === 'fault' ? read.fault : undefined });
    if (read.kind === 'document' && text !== formatted(steps.now)) steps.change(read.value);
    return read.kind === 'document';
  };
  const show = (next: DocumentView) => {
    if (!takeText()) return;
    setText({});
    setView(next);
  };
  const review = () => isChanged && setReviewing(takeText());
  if (isReviewing) {
    return (
      <WriteUserState
        userStateKey={userStateKey}
        opened={opened}
        mine={steps.now}
        title={<SaveTitle saveKey={userStateKey} title={p.changeTitle} />}
        text={p.changeText}
        action={p.changeIn(t.environments[userStateKey.env])}
        onClose={() => setReviewing(false)}
        onWritten={onClose}
      />
    );
  }
  return (
    <Dialog
      isOpen
      isFirm
      onClose={onClose}
      size="full"
      env={userStateKey.env}
      title={<SaveTitle saveKey={userStateKey} title={p.changeTitle} />}
      text={p.changeText}
      actions={
        <>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="primary" disabled={!isChanged} onClick={review}>
            {p.review}
          </Button>
        </>
      }
    >
      <Segments
        label={f.view}
        value={view}
        onChange={show}
        options={[
          { value: 'form', label: f.form },
          { value: 'json', label: 'JSON' },
        ]}
      />
      {fault && <Notice kind="bad">{faultSentence(fault)}</Notice>}
      <SaveEditor
        {...{ userStateKey, editor, steps, view }}
        onReview={review}
        onChange={() => setText({ typed: editor.current?.text() })}
      />
    </Dialog>
  );
}

interface SaveEditorProps {
  readonly userStateKey: UserStateKey;
  readonly editor: RefObject<CodeEditorHandle | null>;
  readonly steps: Steps;
  readonly view: DocumentView;
  readonly onChange: () => void;
  readonly onReview: () => void;
}

function SaveEditor({ userStateKey, editor, steps, view, onChange, onReview }: SaveEditorProps) {
  const p = usePlayerTexts();
  const { endUserId: _, ...stateKey } = userStateKey;
  const key: SchemaKey = { ...stateKey, kind: 'user-state' };
  const { data: schema } = useQuery(schemaQuery(key));
  return (
    <div className="save-editor">
      <Suspense fallback={<Skeleton rows={8} />}>
        {view === 'form' ? (
          <FormView
            ref={null}
            value={steps.now}
            schema={rulesOf(schema)}
            findings={noFindings}
            initialPath={noPath}
            onChange={steps.change}
            onUndo={steps.undo}
            onRedo={steps.redo}
          />
        ) : (
          <CodeEditor
            ref={editor}
            initialText={formatted(steps.now)}
            label={p.state}
            onChange={onChange}
            onCursor={() => undefined}
            onSave={onReview}
            onFormat={() => undefined}
          />
        )}
      </Suspense>
    </div>
  );
}

const noFindings: readonly [] = [];
const noPath: readonly string[] = [];
