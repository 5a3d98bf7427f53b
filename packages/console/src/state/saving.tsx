/** Saves a text as a version, or proposes it: the review, preceded by a merge if somebody else was first. */
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { Proposal } from '../api/proposals.ts';
import { readState, type StateKey, type StateRecord } from '../api/state.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { prepareDiff } from './diff.tsx';
import type { Finding } from './document-text.ts';
import { ReviewDialog } from './review-dialog.tsx';
import type { EditedDocument, Overlap } from './use-document.ts';

/** The code of a review is loaded once the page has settled, so that changes can be reviewed offline. */
const reviewAfterMs = 1_500;

interface Review {
  /** The stored version used for an earlier merge, if any. */
  readonly mergedWith?: StateRecord;
}

export interface Saving {
  readonly startReview: () => void;
  /** Merges the stored version. With `goesOn`, the review continues with the result, or after the choices. */
  readonly merge: (opensReview: boolean) => Promise<void>;
  /** The dialog open above the editor. */
  readonly dialogs: ReactNode;
}

/** `findings`: the faults of the document. `proposal`: the one that the text is saved to, if any. */
export function useSaving(
  stateKey: StateKey,
  edited: EditedDocument,
  findings: readonly Finding[],
  proposal?: Proposal,
): Saving {
  const navigate = useNavigate();
  const { base, read, isChanged } = edited;
  useEffect(() => {
    const timer = setTimeout(prepareDiff, isChanged ? 0 : reviewAfterMs);
    return () => clearTimeout(timer);
  }, [isChanged]);
  const [review, setReview] = useState<Review>();
  const [overlap, setOverlap] = useState<Overlap>();
  /** Kept until something is saved, even during a conflict. */
  const [comment, setComment] = useState(proposal?.comment ?? '');
  const merge = async (opensReview: boolean) => {
    const theirs = await readState(stateKey);
    const found = edited.merge(theirs);
    setReview(undefined);
    if (found !== undefined) setOverlap(found);
    else if (opensReview) setReview(theirs === null ? {} : { mergedWith: theirs });
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
          proposal={proposal}
          comment={comment}
          onComment={setComment}
          onClose={() => setReview(undefined)}
          onConflict={() => merge(true)}
          onSaved={(record) => {
            setReview(undefined);
            setComment('');
            edited.saved(record);
          }}
          onProposed={({ id }) => {
            setReview(undefined);
            setComment('');
            edited.discard();
            const { slug, env } = stateKey;
            void navigate({ to: '/p/$slug/$env/proposals/$proposalId', params: { slug, env, proposalId: id } });
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
