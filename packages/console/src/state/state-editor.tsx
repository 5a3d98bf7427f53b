/** The editor with its bars: who saved last, what is wrong, how large it is, and the way to save. */

import { type HistoryItemBody, stateCharactersMax } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { ListTree, Search, WrapText } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { formatted, readState, type StateKey } from '../api/state.ts';
import { useSubject } from '../shell/session.tsx';
import { formatAgo, formatNumber, formatTime, type Texts, useTexts } from '../texts/index.ts';
import { commandKey } from '../ui/command-key.ts';
import { Button, EnvironmentName, Notice, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { authorName, headQuery, readHead } from './authors.ts';
import type { CodeEditorHandle } from './code-editor.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { StatusBar } from './status-bar.tsx';
import { Tree } from './tree.tsx';
import { type EditedDocument, type Opening, type Overlap, useDocument } from './use-document.ts';

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

interface Review {
  /** What the merge before it has done, if there was one. */
  readonly mergedVersion?: number;
}

export function StateEditor({ stateKey, opening }: { stateKey: StateKey; opening: Opening }) {
  const t = useTexts();
  const editor = useRef<CodeEditorHandle>(null);
  const edited = useDocument(stateKey, opening, editor);
  const { base, read, isChanged, newer } = edited;
  const [review, setReview] = useState<Review>();
  const [overlap, setOverlap] = useState<Overlap>();
  const [isTreeOpen, setTreeOpen] = useState(false);
  const [isDiscarding, setDiscarding] = useState(false);
  const [cursor, setCursor] = useState({ line: 1, column: 1 });
  const [isRestoredSeen, setRestoredSeen] = useState(false);
  const firstText = useRef(opening.draft?.text ?? formatted(opening.stored?.state ?? {}));
  const canReview = isChanged && read.kind === 'document' && !read.isTooLarge;

  const startReview = () => {
    const now = edited.readNow();
    if (now.kind === 'fault') editor.current?.goTo(now.position);
    else if (isChanged && !now.isTooLarge) setReview({});
  };
  /** Merges what is stored now. The review goes on with the result, or after the choices. */
  const merge = async (goesOn: boolean) => {
    const theirs = await readState(stateKey);
    const found = edited.merge(theirs);
    setReview(undefined);
    if (found !== undefined) setOverlap(found);
    else if (goesOn) setReview(theirs === null ? {} : { mergedVersion: theirs.version });
  };

  return (
    <div className="state-page">
      <PageHeader title={t.state.title} lead={<Head stateKey={stateKey} edited={edited} />}>
        {isChanged && <Button onClick={() => setDiscarding(true)}>{t.state.discard}</Button>}
        <Button kind="primary" disabled={!canReview} onClick={startReview}>
          {t.state.review}
        </Button>
      </PageHeader>
      {opening.draft !== undefined && isChanged && !isRestoredSeen && (
        <Notice action={<Button onClick={() => setRestoredSeen(true)}>{t.common.close}</Button>}>
          {t.state.draftRestored(formatTime(opening.draft.savedAt))}
        </Notice>
      )}
      {newer !== undefined && isChanged && (
        <NewerNotice stateKey={stateKey} edited={edited} onMerge={() => void merge(false)} />
      )}
      <div className="toolbar">
        <Button kind="quiet" size="small" icon={<Search />} onClick={() => editor.current?.openSearch()}>
          {t.state.find}
        </Button>
        <Button kind="quiet" size="small" icon={<WrapText />} onClick={edited.format} disabled={read.kind === 'fault'}>
          {t.state.format}
        </Button>
        <Button
          kind="quiet"
          size="small"
          icon={<ListTree />}
          aria-pressed={isTreeOpen}
          onClick={() => setTreeOpen(!isTreeOpen)}
        >
          {t.state.tree}
        </Button>
        <span className="toolbar-keys" aria-hidden="true">
          {t.state.review} <kbd>{`${commandKey}S`}</kbd>
        </span>
      </div>
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
      <StatusBar edited={edited} editor={editor} cursor={cursor} />
      {review !== undefined && read.kind === 'document' && (
        <ReviewDialog
          stateKey={stateKey}
          base={base}
          next={read.value}
          mergedVersion={review.mergedVersion}
          onClose={() => setReview(undefined)}
          onConflict={() => merge(true)}
          onSaved={(record) => {
            setReview(undefined);
            edited.saved(record);
          }}
        />
      )}
      {overlap !== undefined && (
        <ConflictDialog
          overlap={overlap}
          onClose={() => setOverlap(undefined)}
          onSettled={(document) => {
            setOverlap(undefined);
            edited.settle(overlap.theirs, document);
            setReview({ mergedVersion: overlap.theirs.version });
          }}
        />
      )}
      <Confirm
        isOpen={isDiscarding}
        onClose={() => setDiscarding(false)}
        title={t.state.discard}
        text={t.state.discardText}
        action={t.state.discard}
        onConfirm={async () => edited.discard()}
      />
      <span className="hidden-text" role="status">
        {read.kind === 'document' && read.isTooLarge ? t.state.tooLarge(formatNumber(stateCharactersMax)) : ''}
      </span>
    </div>
  );
}

function Head({ stateKey, edited }: { stateKey: StateKey; edited: EditedDocument }) {
  const t = useTexts();
  const subject = useSubject();
  const { base, isChanged } = edited;
  const { env } = stateKey;
  const { data: head } = useQuery({ ...headQuery(stateKey), enabled: base !== null });
  return (
    <span className="state-head">
      <EnvironmentName env={env} />
      {base === null ? (
        <span>{t.state.notSaved}</span>
      ) : (
        <span>
          <b>{t.common.version(base.version)}</b>
          {head?.version === base.version && (
            <time dateTime={head.createdAt} title={formatTime(head.createdAt)}>
              {` ${savedBy(t, head, subject)}`}
            </time>
          )}
        </span>
      )}
      {isChanged && <span className="badge warn">{t.state.unsaved}</span>}
    </span>
  );
}

function NewerNotice(props: { stateKey: StateKey; edited: EditedDocument; onMerge: () => void }) {
  const t = useTexts();
  const subject = useSubject();
  const { newer, read } = props.edited;
  const { accountId, slug, env } = props.stateKey;
  const { data: head } = useQuery({
    queryKey: ['head', accountId, slug, env, newer?.version],
    queryFn: async () => (await readHead(props.stateKey)) ?? null,
  });
  if (newer === null || newer === undefined) return <Notice kind="warn">{t.state.gone}</Notice>;
  const who = head?.version === newer.version ? authorName(t, head.author, subject) : t.common.developer;
  return (
    <Notice
      kind="warn"
      title={t.state.newer(newer.version, who)}
      action={
        <Button onClick={props.onMerge} disabled={read.kind === 'fault'}>
          {t.state.mergeNow}
        </Button>
      }
    >
      {t.state.newerHint}
    </Notice>
  );
}

function savedBy(t: Texts, { author, createdAt }: HistoryItemBody, subject: string): string {
  const when = formatAgo(createdAt);
  if (author === null) return when;
  const isOwn = author.kind === 'developer' && author.id === subject;
  return t.state.savedBy(isOwn ? t.common.youInside : authorName(t, author, subject), when);
}
