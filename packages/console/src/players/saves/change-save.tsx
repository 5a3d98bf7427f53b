/** Changes a save: first as a form or as its text, then the review of the changes with a comment. */
import { isSame, type JsonObject } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { schemaQuery } from '../../api/schemas.ts';
import { formatted, type StateRecord, type UserStateKey } from '../../api/state.ts';
import type { DocumentView } from '../../editor/document-view.ts';
import { CodeEditor } from '../../editor/loaded-editor.tsx';
import { type TypedValue, useTypedValue } from '../../editor/typed-value.ts';
import { ViewChoice } from '../../editor/view-choice.tsx';
import { rulesOf } from '../../fields/document-hints.tsx';
import { FormView } from '../../form/form-view.tsx';
import { readDocument } from '../../json-text/document-text.ts';
import { faultSentence } from '../../json-text/json-faults.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { Button, Notice, Skeleton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveSchemaKey } from '../player-key.ts';
import { SaveTitle } from './save-title.tsx';
import { WriteSave } from './write-save.tsx';
import './change-save.css';

const [usePlayerTexts] = textsOf('players');

interface ChangeSaveProps {
  readonly saveKey: UserStateKey;
  /** The save when editing began. */
  readonly opened: StateRecord;
  readonly onClose: () => void;
}

export function ChangeSave({ saveKey, opened, onClose }: ChangeSaveProps) {
  const t = useTexts();
  const p = usePlayerTexts();
  const { steps, editor, fault, forgetFault, take } = useTypedValue(opened.state, readDocument);
  const [view, setView] = useState<DocumentView>('form');
  const [isReviewing, setReviewing] = useState(false);
  /** The text in the editor; undefined until it changes. */
  const [typed, setTyped] = useState<string>();
  const isChanged = !isSame(steps.now, opened.state) || (typed !== undefined && typed !== formatted(steps.now));
  const show = (next: DocumentView) => {
    if (take() === undefined) return;
    setTyped(undefined);
    setView(next);
  };
  const review = () => isChanged && setReviewing(take() !== undefined);
  if (isReviewing) {
    return (
      <WriteSave
        saveKey={saveKey}
        opened={opened}
        mine={steps.now}
        title={p.changeTitle}
        text={p.changeText}
        action={p.changeIn(t.environments[saveKey.env])}
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
      env={saveKey.env}
      title={<SaveTitle saveKey={saveKey} title={p.changeTitle} />}
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
      <ViewChoice view={view} onView={show} />
      {fault && <Notice kind="bad">{faultSentence(fault)}</Notice>}
      <SaveEditor
        {...{ saveKey, editor, steps, view }}
        onReview={review}
        onChange={() => {
          forgetFault();
          setTyped(editor.current?.text());
        }}
      />
    </Dialog>
  );
}

interface SaveEditorProps extends Pick<TypedValue<JsonObject>, 'editor' | 'steps'> {
  readonly saveKey: UserStateKey;
  readonly view: DocumentView;
  readonly onChange: () => void;
  readonly onReview: () => void;
}

function SaveEditor({ saveKey, editor, steps, view, onChange, onReview }: SaveEditorProps) {
  const p = usePlayerTexts();
  const { data: schema } = useQuery(schemaQuery(saveSchemaKey(saveKey)));
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
            onSave={onReview}
          />
        )}
      </Suspense>
    </div>
  );
}

const noFindings: readonly [] = [];
const noPath: readonly string[] = [];
