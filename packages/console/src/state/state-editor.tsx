/** The editor with its bars: last author, faults, size, and saving. */
import { stateCharactersMax } from '@holdfast/contract';
import { ListTree, Search, WrapText } from 'lucide-react';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { emptyDocument, formatted, type StateKey } from '../api/state.ts';
import { formatNumber, useTexts } from '../texts/index.ts';
import { commandKey } from '../ui/command-key.ts';
import { Button, PageHeader, Skeleton } from '../ui/controls.tsx';
import type { CodeEditorHandle } from './code-editor.tsx';
import { Discard } from './discard.tsx';
import { useFindings } from './document-check.ts';
import { ForbiddenNotice } from './forbidden-notice.tsx';
import { useSaving } from './saving.tsx';
import { DraftNotice, Head, NewerNotice } from './state-head.tsx';
import { StatusBar } from './status-bar.tsx';
import { Tree } from './tree.tsx';
import { type EditedDocument, type Opening, useDocument } from './use-document.ts';
import { useWriting } from './writing.ts';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

export function StateEditor({ stateKey, opening }: { stateKey: StateKey; opening: Opening }) {
  const t = useTexts();
  const editor = useRef<CodeEditorHandle>(null);
  const edited = useDocument(stateKey, opening, editor);
  const findings = useFindings(stateKey, edited.read);
  useEffect(() => editor.current?.show(findings), [findings]);
  const saving = useSaving(stateKey, edited, findings);
  const { read, isChanged, newer } = edited;
  const [isTreeOpen, setTreeOpen] = useState(false);
  const [cursor, setCursor] = useState({ line: 1, column: 1 });
  const firstText = useRef(opening.draft?.text ?? formatted(opening.stored?.state ?? emptyDocument));
  const writing = useWriting(stateKey);
  const isTooLarge = read.kind === 'document' && read.isTooLarge;
  const startReview = () => {
    const now = edited.readNow();
    if (now.kind === 'fault') editor.current?.goTo(now.position);
    else if (isChanged && !now.isTooLarge && !writing.isForbidden) saving.startReview();
  };
  return (
    <div className="state-page">
      <PageHeader title={t.state.title} lead={<Head stateKey={stateKey} edited={edited} />}>
        <Discard edited={edited} />
        <Button
          kind="primary"
          disabled={!isChanged || read.kind === 'fault' || isTooLarge || writing.isForbidden}
          onClick={startReview}
        >
          {t.state.review}
        </Button>
      </PageHeader>
      <ForbiddenNotice writing={writing} env={stateKey.env} />
      {opening.draft !== undefined && <DraftNotice draft={opening.draft} isShown={isChanged} />}
      {newer !== undefined && isChanged && (
        <NewerNotice stateKey={stateKey} edited={edited} onMerge={() => void saving.merge(false)} />
      )}
      <Toolbar edited={edited} editor={editor} isTreeOpen={isTreeOpen} onTree={setTreeOpen} />
      <div className="workbench" data-tree={isTreeOpen || undefined}>
        <Suspense fallback={<Skeleton rows={12} />}>
          <CodeEditor
            ref={editor}
            initialText={firstText.current}
            label={t.state.editor}
            onChange={edited.onChange}
            onCursor={(line, column) => setCursor({ line, column })}
            onSave={startReview}
            onFormat={edited.format}
          />
        </Suspense>
        {isTreeOpen && read.kind === 'document' && <Tree value={read.value} label={t.state.treeTitle} />}
      </div>
      <StatusBar edited={edited} editor={editor} cursor={cursor} findings={findings} />
      {saving.dialogs}
      <span className="hidden-text" role="status">
        {isTooLarge ? t.state.tooLarge(formatNumber(stateCharactersMax)) : ''}
      </span>
    </div>
  );
}

interface ToolbarProps {
  readonly edited: EditedDocument;
  readonly editor: RefObject<CodeEditorHandle | null>;
  readonly isTreeOpen: boolean;
  readonly onTree: (isOpen: boolean) => void;
}

function Toolbar({ edited, editor, isTreeOpen, onTree }: ToolbarProps) {
  const t = useTexts();
  return (
    <div className="toolbar">
      <Button kind="quiet" size="small" icon={<Search />} onClick={() => editor.current?.openSearch()}>
        {t.state.find}
      </Button>
      <Button kind="quiet" size="small" icon={<WrapText />} onClick={edited.format} disabled={edited.read.kind === 'fault'}>
        {t.state.format}
      </Button>
      <Button kind="quiet" size="small" icon={<ListTree />} aria-pressed={isTreeOpen} onClick={() => onTree(!isTreeOpen)}>
        {t.state.tree}
      </Button>
      <span className="toolbar-keys" aria-hidden="true">
        {t.state.review} <kbd>{`${commandKey}S`}</kbd>
      </span>
    </div>
  );
}
