/** From the text to a version: the review, and the merge that comes before it when somebody else was first. */
import { type ReactNode, useEffect, useState } from 'react';
import { readState, type StateKey, type StateRecord } from '../api/state.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { prepareDiff } from './diff.tsx';
import type { Finding } from './document-text.ts';
import { ReviewDialog } from './review-dialog.tsx';
import type { EditedDocument, Overlap } from './use-document.ts';

interface Review {
  /** What the merge before it was made with, if there was one. */
  readonly mergedWith?: StateRecord;
}

export interface Saving {
  readonly startReview: () => void;
  /** Merges what is stored now. A review that `goesOn` continues with the result, or after the choices. */
  readonly merge: (goesOn: boolean) => Promise<void>;
  /** What is open above the editor. */
  readonly dialogs: ReactNode;
}

/** `findings`: what is wrong with the document. */
export function useSaving(stateKey: StateKey, edited: EditedDocument, findings: readonly Finding[]): Saving {
  const { base, read, isChanged } = edited;
  useEffect(() => {
    if (isChanged) prepareDiff();
  }, [isChanged]);
  const [review, setReview] = useState<Review>();
  const [overlap, setOverlap] = useState<Overlap>();
  /** Kept until something is saved: a conflict does not take it. */
  const [comment, setComment] = useState('');
  const merge = async (goesOn: boolean) => {
    const theirs = await readState(stateKey);
    const found = edited.merge(theirs);
    setReview(undefined);
    if (found !== undefined) setOverlap(found);
    else if (goesOn) setReview(theirs === null ? {} : { mergedWith: theirs });
  };
  const dialogs = (
    <>
      {review !== undefined && read.kind === 'document' && (
        <ReviewDialog
          stateKey={stateKey}
          base={base}
          next={read.value}
          findings={findings}
          mergedWith={review.mergedWith}
          comment={comment}
          onComment={setComment}
          onClose={() => setReview(undefined)}
          onConflict={() => merge(true)}
          onSaved={(record) => {
            setReview(undefined);
            setComment('');
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
            setReview({ mergedWith: overlap.theirs });
          }}
        />
      )}
    </>
  );
  return { startReview: () => setReview({}), merge, dialogs };
}
