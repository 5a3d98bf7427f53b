/** Edits a user state: first its text, then the review of the changes with a comment. */
import { lazy, Suspense, useRef, useState } from 'react';
import { formatted, type StateRecord, type UserStateKey } from '../api/state.ts';
import type { CodeEditorHandle } from '../state/code-editor.tsx';
import { readDocument } from '../state/document-text.ts';
import { faultSentence } from '../state/json-fault.ts';
import { useTexts } from '../texts/index.ts';
import { usePlayerTexts } from '../texts/players.ts';
import { Button, Notice, Skeleton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { WriteUserState } from './write-user-state.tsx';

const CodeEditor = lazy(async () => ({ default: (await import('../state/code-editor.tsx')).CodeEditor }));

interface ChangeUserStateProps {
  readonly userStateKey: UserStateKey;
  /** The user state when editing began. */
  readonly opened: StateRecord;
  readonly onClose: () => void;
}

export function ChangeUserState({ userStateKey, opened, onClose }: ChangeUserStateProps) {
  const t = useTexts();
  const p = usePlayerTexts();
  const editor = useRef<CodeEditorHandle>(null);
  const [text, setText] = useState(() => formatted(opened.state));
  const [isReviewing, setReviewing] = useState(false);
  const [isFaulty, setFaulty] = useState(false);
  const read = readDocument(text);
  const review = () => {
    const typed = editor.current?.text() ?? text;
    const isDocument = readDocument(typed).kind === 'document';
    setText(typed);
    setFaulty(!isDocument);
    setReviewing(isDocument);
  };
  if (isReviewing && read.kind === 'document') {
    return (
      <WriteUserState
        userStateKey={userStateKey}
        opened={opened}
        mine={read.value}
        title={p.changeTitle}
        text={p.changeText}
        action={p.change}
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
      title={p.changeTitle}
      text={p.changeText}
      actions={
        <>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="primary" onClick={review}>
            {p.review}
          </Button>
        </>
      }
    >
      {isFaulty && read.kind === 'fault' && <Notice kind="bad">{faultSentence(t, read.fault)}</Notice>}
      <Suspense fallback={<Skeleton rows={8} />}>
        <CodeEditor
          ref={editor}
          initialText={text}
          label={p.state}
          onChange={() => setFaulty(false)}
          onCursor={() => undefined}
          onSave={review}
          onFormat={() => undefined}
        />
      </Suspense>
    </Dialog>
  );
}
