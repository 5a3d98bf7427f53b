/** The editor with its bars: last author, faults, size, and saving. The document is shown as a form or as JSON. */
import { stateCharactersMax } from '@holdfast/contract';
import { pathOfPointer } from '@holdfast/json';
import { useSearch } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { StateKey } from '../api/state.ts';
import type { CodeEditorHandle } from '../editor/code-editor.tsx';
import { createCursor } from '../editor/cursor.ts';
import { type DocumentView, useDocumentView } from '../editor/document-view.ts';
import { EditorActions } from '../editor/editor-actions.tsx';
import { EditorToolbar } from '../editor/editor-toolbar.tsx';
import { usePageKeys } from '../editor/page-keys.ts';
import { ViewChoice } from '../editor/view-choice.tsx';
import type { FormHandle } from '../form/form-view.tsx';
import { faultSentence } from '../json-text/json-faults.ts';
import { type DocumentOpening, type EditedDocument, useDocument } from '../open-text/open-document.ts';
import { useFindings } from '../problems/document-check.ts';
import { ForbiddenNotice } from '../saving/forbidden-notice.tsx';
import { useSaving } from '../saving/saving.tsx';
import { useWriting } from '../saving/writing.ts';
import { formatNumber, type Texts, textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { DraftNotice, Head, NewerNotice, UnsavedBadge, useIsWide } from './state-head.tsx';
import { StatusBar } from './status-bar.tsx';
import { EditedProposal, WaitingLine } from './waiting-line.tsx';
import { Workbench } from './workbench.tsx';
import '../ui/editor-page.css';

const [useReleaseTexts] = textsOf('releases');

export function StateEditor({ stateKey, opening }: { stateKey: StateKey; opening: DocumentOpening }) {
  const { proposal } = opening;
  const t = useTexts();
  const r = useReleaseTexts();
  const editor = useRef<CodeEditorHandle>(null);
  const form = useRef<FormHandle>(null);
  const edited = useDocument(stateKey, opening, editor);
  const { findings, isChecking } = useFindings(stateKey, edited.read);
  useEffect(() => editor.current?.show(findings), [findings]);
  const saving = useSaving(stateKey, edited, findings, proposal);
  const { read, isChanged } = edited;
  const [isTreeOpen, setTreeOpen] = useState(false);
  const [cursor] = useState(createCursor);
  const writing = useWriting(stateKey);
  const [view, show] = useView(edited, editor, form);
  const isTooLarge = read.kind === 'document' && read.isTooLarge;
  const startReview = () => {
    const now = edited.readNow();
    if (now.kind === 'fault') return show('json', now.position);
    if (isChanged && !now.isTooLarge) saving.startReview();
  };
  const isForm = view === 'form' && read.kind === 'document';
  const { jump, find } = useFinding(isForm, editor, form, setTreeOpen);
  usePageKeys({ s: startReview, f: find });
  return (
    <div className="page editor-page">
      <PageHeader
        kind="configuration"
        title={t.state.title}
        beside={<UnsavedBadge edited={edited} />}
        lead={
          <Head
            stateKey={stateKey}
            edited={edited}
            beside={proposal === undefined && <WaitingLine stateKey={stateKey} isShort />}
          />
        }
      >
        <EditorActions
          edited={edited}
          isReady={isChanged && read.kind !== 'fault' && !isTooLarge}
          reason={reasonAgainst(t, read)}
          label={proposal === undefined && !writing.isProposed ? t.state.review : r.reviewProposal}
          onReview={startReview}
        />
      </PageHeader>
      <Notices stateKey={stateKey} opening={opening} edited={edited} onMerge={() => void saving.merge(false)} />
      <Toolbar edited={edited} view={view} isTreeOpen={isTreeOpen} onView={show} onTree={setTreeOpen} onFind={find} />
      <Workbench
        stateKey={stateKey}
        edited={edited}
        editor={editor}
        form={form}
        view={view}
        isTreeOpen={isTreeOpen}
        findings={findings}
        onShow={show}
        onCursor={cursor.move}
        onReview={startReview}
      />
      <StatusBar
        edited={edited}
        isForm={view === 'form'}
        cursor={cursor}
        findings={findings}
        isChecking={isChecking}
        onFault={(position) => show('json', position)}
        onJump={jump}
      />
      {saving.dialogs}
      <SizeWarning isTooLarge={isTooLarge} />
    </div>
  );
}

interface ToolbarProps {
  readonly edited: EditedDocument;
  readonly view: DocumentView;
  readonly isTreeOpen: boolean;
  readonly onView: (view: DocumentView) => void;
  readonly onTree: (isOpen: boolean) => void;
  readonly onFind: () => void;
}

function Toolbar({ edited, view, isTreeOpen, onView, onTree, onFind }: ToolbarProps) {
  const t = useTexts();
  return (
    <EditorToolbar
      edited={edited}
      isJson={view === 'json'}
      onFind={onFind}
      lead={<ViewChoice view={view} onView={onView} />}
    >
      <Button
        kind="quiet"
        size="small"
        icon={<ListTree />}
        aria-label={t.state.tree}
        aria-pressed={isTreeOpen}
        onClick={() => onTree(!isTreeOpen)}
      >
        {t.state.tree}
      </Button>
    </EditorToolbar>
  );
}

/** Says why a document cannot be saved; undefined if it can. */
function reasonAgainst({ state: { tooLarge } }: Texts, read: EditedDocument['read']): string | undefined {
  if (read.kind === 'fault') return faultSentence(read.fault);
  return read.isTooLarge ? tooLarge(formatNumber(stateCharactersMax)) : undefined;
}

interface NoticesProps {
  readonly stateKey: StateKey;
  readonly opening: DocumentOpening;
  readonly edited: EditedDocument;
  readonly onMerge: () => void;
}

/** What a user should know before editing. */
function Notices({ stateKey, opening: { proposal, draft }, edited, onMerge }: NoticesProps) {
  const { isChanged, newer } = edited;
  const writing = useWriting(stateKey);
  const isWide = useIsWide();
  return (
    <>
      {proposal === undefined ? (
        <>
          {isWide && <WaitingLine stateKey={stateKey} />}
          <ForbiddenNotice writing={writing} env={stateKey.env} />
          {draft !== undefined && <DraftNotice draft={draft} isShown={isChanged} />}
        </>
      ) : (
        <EditedProposal stateKey={stateKey} proposal={proposal} />
      )}
      {newer !== undefined && isChanged && <NewerNotice stateKey={stateKey} edited={edited} onMerge={onMerge} />}
    </>
  );
}

/** Announces that the document has too many characters. */
function SizeWarning({ isTooLarge }: { isTooLarge: boolean }) {
  const t = useTexts();
  return (
    <span className="hidden-text" role="status">
      {isTooLarge ? t.state.tooLarge(formatNumber(stateCharactersMax)) : ''}
    </span>
  );
}

/** Functions that show a value and focus the search, in place of a tree that hides the text. */
function useFinding(
  isForm: boolean,
  editor: { readonly current: CodeEditorHandle | null },
  form: { readonly current: FormHandle | null },
  setTreeOpen: (isOpen: boolean) => void,
) {
  const goTo = useJump(isForm, editor, form);
  const reveal = () => {
    if (!isForm && editor.current?.isHidden() === true) flushSync(() => setTreeOpen(false));
  };
  const jump = (pointer: string) => {
    reveal();
    goTo(pointer);
  };
  const find = () => {
    reveal();
    return isForm ? form.current?.focusSearch() : editor.current?.openSearch();
  };
  return { jump, find };
}

/** Returns a function that shows a value. The one that the address names is shown once its view is loaded. */
function useJump(
  isForm: boolean,
  editor: { readonly current: CodeEditorHandle | null },
  form: { readonly current: FormHandle | null },
): (pointer: string) => void {
  const { at } = useSearch({ strict: false });
  const jump = (pointer: string) =>
    isForm ? form.current?.open(pathOfPointer(pointer)) : editor.current?.goToPointer(pointer);
  const latest = useRef({ jump, isLoaded: (): boolean => false });
  latest.current = { jump, isLoaded: () => (isForm ? form.current : editor.current) !== null };
  useEffect(() => {
    if (at === undefined) return;
    let frame = 0;
    const tryToJump = () => {
      if (latest.current.isLoaded()) latest.current.jump(at);
      else frame = requestAnimationFrame(tryToJump);
    };
    tryToJump();
    return () => cancelAnimationFrame(frame);
  }, [at]);
  return jump;
}

/** The view, and a function that changes it: the cursor stays at the same value, or goes to a position. */
function useView(
  edited: EditedDocument,
  editor: { readonly current: CodeEditorHandle | null },
  form: { readonly current: FormHandle | null },
): readonly [DocumentView, (view: DocumentView, position?: number) => void] {
  const [view, setView] = useDocumentView();
  /** Where the cursor goes when the text is visible. */
  const target = useRef<{ readonly position?: number | undefined; readonly pointer: string }>(undefined);
  useEffect(() => {
    if (view !== 'json' || target.current === undefined) return;
    const { position, pointer } = target.current;
    target.current = undefined;
    if (position !== undefined) editor.current?.goTo(position);
    else editor.current?.goToPointer(pointer);
  });
  const show = (next: DocumentView, position?: number) => {
    if (next === 'json') target.current = { position, pointer: form.current?.pointer() ?? '' };
    else edited.readNow();
    setView(next);
  };
  return [view, show];
}
