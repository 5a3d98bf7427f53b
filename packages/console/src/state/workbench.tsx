/** The document as a form or as JSON, with the tree beside it. */
import { pointerOf } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type Ref, type RefObject, Suspense, useCallback, useMemo, useRef } from 'react';
import { schemaQuery } from '../api/schemas.ts';
import type { StateKey } from '../api/state.ts';
import type { CodeEditorHandle } from '../editor/code-editor.tsx';
import { type DocumentView, useShownDocument } from '../editor/document-view.ts';
import { CodeEditor } from '../editor/loaded-editor.tsx';
import { rulesOf } from '../fields/document-hints.tsx';
import { textOfPath } from '../fields/path-text.ts';
import type { Path } from '../fields/values.ts';
import { FieldHistory } from '../form/field-history.ts';
import type { FormHandle } from '../form/form-view.tsx';
import type { Finding } from '../json-text/document-text.ts';
import { faultSentence } from '../json-text/json-faults.ts';
import { pathAt } from '../json-text/text-places.ts';
import type { EditedDocument } from '../open-text/open-document.ts';
import { textsOf, useTexts, withTexts } from '../texts/index.ts';
import { Button, Notice, Skeleton } from '../ui/controls.tsx';
import { Tree } from './tree.tsx';
import './workbench.css';

const [useFormTexts] = textsOf('forms');

const FormView = lazy(async () => ({ default: (await withTexts(import('../form/form-view.tsx'))).FormView }));

interface WorkbenchProps {
  readonly stateKey: StateKey;
  readonly edited: EditedDocument;
  readonly editor: RefObject<CodeEditorHandle | null>;
  readonly form: Ref<FormHandle>;
  readonly view: DocumentView;
  readonly isTreeOpen: boolean;
  readonly findings: readonly Finding[];
  readonly onShow: (view: DocumentView, position: number) => void;
  readonly onCursor: (line: number, column: number) => void;
  readonly onReview: () => void;
}

/** The document: its text, whose editor stays when the form is shown, and the form or the tree. */
export function Workbench(props: WorkbenchProps) {
  const { stateKey, edited, editor, form, view, isTreeOpen, findings, onShow, onCursor, onReview } = props;
  const t = useTexts();
  const f = useFormTexts();
  const { read } = edited;
  const openHistory = useOpenHistory(stateKey, read);
  const { data: schema } = useQuery(schemaQuery(useMemo(() => ({ ...stateKey, kind: 'public-state' }), [stateKey])));
  const isForm = view === 'form' && read.kind === 'document';
  const isTree = view === 'json' && isTreeOpen && read.kind === 'document';
  return (
    <div className="workbench" data-view={view} data-tree={isTree || undefined}>
      <Suspense fallback={<Skeleton rows={12} />}>
        <CodeEditor
          ref={editor}
          initialText={edited.firstText}
          label={t.state.editor}
          onChange={edited.onChange}
          onCursor={onCursor}
          onSave={onReview}
          onFormat={edited.format}
        />
        {isForm && (
          <FieldHistory value={openHistory}>
            <FormView
              ref={form}
              value={read.value}
              schema={rulesOf(schema)}
              configuration={stateKey}
              findings={findings}
              initialPath={placeIn(editor.current)}
              onChange={edited.change}
              onUndo={edited.undo}
              onRedo={edited.redo}
            />
          </FieldHistory>
        )}
      </Suspense>
      {view === 'form' && read.kind === 'fault' && (
        <Notice
          kind="bad"
          title={f.formFault}
          action={<Button onClick={() => onShow('json', read.position)}>{f.toJson}</Button>}
        >
          {faultSentence(read.fault)}
        </Notice>
      )}
      {isTree && <Tree value={read.value} label={t.state.treeTitle} />}
    </div>
  );
}

/** Opens the history of a value. */
function useOpenHistory({ slug, env }: StateKey, read: EditedDocument['read']): (path: Path) => void {
  const navigate = useNavigate();
  const shown = useShownDocument();
  const latest = useRef({ read, shown });
  latest.current = { read, shown };
  return useCallback(
    (path) => {
      const now = latest.current;
      const text = now.read.kind === 'document' ? textOfPath(now.read.value, path) : pointerOf(path);
      void navigate({ to: '/p/$slug/$env/history', params: { slug, env }, search: { ...now.shown, path: text } });
    },
    [navigate, slug, env],
  );
}

/** The path of the value at the cursor. */
function placeIn(editor: CodeEditorHandle | null): readonly string[] {
  return editor === null ? [] : pathAt(editor.text(), editor.cursor());
}
