/** Saves a text as a version, or proposes it: the review, preceded by a merge if somebody else was first. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Proposal } from '../api/proposals.ts';
import { headQuery } from '../api/queries.ts';
import { useSubject } from '../api/signed-in.ts';
import { readState, type StateKey, type StateRecord } from '../api/state.ts';
import { prepareDiff } from '../diff/diff.tsx';
import type { Finding } from '../json-text/document-text.ts';
import type { EditedDocument } from '../open-text/open-document.ts';
import type { Overlap } from '../open-text/rebase.ts';
import { useTexts } from '../texts/index.ts';
import { authorName } from '../ui/authors.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { ReviewDialog } from './review-dialog.tsx';

/** The code of a review is loaded once the page has settled, so that changes can be reviewed offline. */
const reviewAfterMs = 1_500;

interface Review {
  /** The stored version used for an earlier merge, if any. */
  readonly mergedWith?: StateRecord;
}

export interface Saving {
  readonly startReview: () => void;
  /** Merges the stored version. With `opensReview`, the review continues with the result, or after the choices. */
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
  const [overlap, setOverlap] = useState<Overlap<StateRecord>>();
  /** Kept until something is saved, even during a conflict. */
  const [comment, setComment] = useState(proposal?.comment ?? '');
  const author = useAuthorOf(stateKey, overlap?.theirs.version);
  const mergeWith = (theirs: StateRecord | null, opensReview: boolean) => {
    const found = edited.merge(theirs);
    setReview(undefined);
    if (found !== undefined) setOverlap(found);
    else if (opensReview) setReview(theirs === null ? {} : { mergedWith: theirs });
  };
  const merge = async (opensReview: boolean) => mergeWith(await readState(stateKey), opensReview);
  useNewer(edited, overlap, (newer) => {
    setOverlap(undefined);
    mergeWith(newer, true);
  });
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
          key={overlap.theirs.version}
          overlap={overlap}
          author={author}
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

/** Calls `onNewer` with a version that is saved while the choices about an earlier one are open. */
function useNewer(
  { newer }: EditedDocument,
  overlap: Overlap<StateRecord> | undefined,
  onNewer: (newer: StateRecord) => void,
): void {
  const isOutdated = newer != null && overlap !== undefined && newer.version > overlap.theirs.version;
  const latest = useRef(onNewer);
  latest.current = onNewer;
  useEffect(() => {
    if (isOutdated) latest.current(newer);
  }, [isOutdated, newer]);
}

/** Returns who saved a version; undefined while unknown. */
function useAuthorOf(key: StateKey, version: number | undefined): string | undefined {
  const t = useTexts();
  const subject = useSubject();
  const { data: head } = useQuery({ ...headQuery(key, version), enabled: version !== undefined });
  return head == null || head.version !== version ? undefined : authorName(t, head.author, subject);
}
