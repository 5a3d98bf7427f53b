/** The buttons of an editor, in the header of the page; in narrow windows at its lower edge. */
import { useId } from 'react';
import { createPortal } from 'react-dom';
import { useTexts } from '../texts/index.ts';
import { useCommandKey } from '../ui/command-key.ts';
import { Button } from '../ui/controls.tsx';
import { wideWindow } from '../ui/wide-window.ts';
import { Discard, type Discardable } from './discard.tsx';
import './editor-actions.css';

const useHasHeaderRoom = wideWindow(641);

interface EditorActionsProps {
  readonly edited: Discardable;
  readonly isReady: boolean;
  /** Why changes cannot be saved, if that is not obvious. */
  readonly reason?: string | undefined;
  /** The label of the main button. */
  readonly label?: string;
  readonly onReview: () => void;
}

/** The buttons appear with the first change. Wide windows keep their place free. */
export function EditorActions({ edited, isReady, reason, label, onReview }: EditorActionsProps) {
  const t = useTexts();
  const commandKey = useCommandKey();
  const reasonId = useId();
  const isExplained = edited.isChanged && reason !== undefined;
  const isInHeader = useHasHeaderRoom();
  const content = document.getElementById('content');
  const buttons = (
    <>
      {isExplained && (
        <p className="hint editor-reason" id={reasonId}>
          {reason}
        </p>
      )}
      <Discard edited={edited} />
      <Button
        kind="primary"
        className={edited.isChanged ? '' : 'unseen'}
        disabled={!isReady}
        title={`${commandKey}S`}
        aria-describedby={isExplained ? reasonId : undefined}
        aria-keyshortcuts="Control+S Meta+S"
        onClick={onReview}
      >
        {label ?? t.state.review}
      </Button>
    </>
  );
  if (isInHeader || content === null) return buttons;
  return edited.isChanged ? createPortal(<div className="page-actions floating">{buttons}</div>, content) : null;
}
