/** Reviews changes before they are saved, proposed or scheduled, with a comment. */
import type { JsonObject } from '@holdfast/json';
import { useMemo } from 'react';
import { editProposal, type Proposal, type Times } from '../api/proposals.ts';
import { emptyDocument, type StateKey, type StateRecord } from '../api/state.ts';
import { Diff } from '../diff/diff.tsx';
import { asStored } from '../json-text/as-stored.ts';
import { compare } from '../json-text/changes.ts';
import type { Finding } from '../json-text/document-text.ts';
import { useEarlierFindings } from '../problems/document-check.ts';
import { Findings } from '../problems/findings.tsx';
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Notice } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TitleIn } from '../ui/title-in.tsx';
import { toast } from '../ui/toasts.tsx';
import { ReviewEnd } from './review-end.tsx';
import { TheirComment } from './their-comment.tsx';
import { writeOrPropose } from './write.ts';
import { useWriting } from './writing.ts';

const [useReleaseTexts] = textsOf('releases');

export interface ReviewDialogProps {
  readonly stateKey: StateKey;
  readonly base: StateRecord | null;
  readonly next: JsonObject;
  /** Its faults. */
  readonly findings: readonly Finding[];
  /** The stored version used for an earlier merge, if any. */
  readonly mergedWith: StateRecord | undefined;
  /** The proposal that is edited, if any. */
  readonly proposal: Proposal | undefined;
  readonly comment: string;
  readonly onComment: (comment: string) => void;
  readonly onClose: () => void;
  /** Somebody else was first. Resolves when their changes are merged. */
  readonly onConflict: () => Promise<void>;
  readonly onSaved: (record: StateRecord) => void;
  readonly onProposed: (proposal: Proposal) => void;
}

export function ReviewDialog(props: ReviewDialogProps) {
  const { stateKey, base, next, findings, mergedWith, proposal, comment, onComment, onClose } = props;
  const t = useTexts();
  const stored = base?.state ?? emptyDocument;
  const after = useMemo(() => asStored(base, next), [base, next]);
  const { changes } = useMemo(() => compare(stored, after), [stored, after]);
  const isNothing = changes.length === 0 && (base !== null || proposal !== undefined);
  const earlier = useEarlierFindings(stateKey, base, findings);
  const finish = useFinish(props);
  const isWritten = !useWriting(stateKey).isProposed && proposal === undefined;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={<TitleIn env={stateKey.env}>{t.state.reviewTitle}</TitleIn>}
      size="full"
      {...(isWritten && { env: stateKey.env })}
    >
      {mergedWith !== undefined && (
        <Notice kind="good" title={t.state.mergedTitle(mergedWith.version)}>
          {t.state.mergedText}
          <TheirComment record={mergedWith} />
        </Notice>
      )}
      {isNothing ? (
        <Notice>{t.state.nothingToSave}</Notice>
      ) : (
        <Diff
          from={stored}
          to={after}
          fromLabel={base === null ? t.state.notSaved : t.state.savedVersion(base.version)}
          toLabel={t.state.unsavedEdits}
          changes={changes}
        />
      )}
      <Findings findings={findings} earlier={earlier} />
      <ReviewEnd
        stateKey={stateKey}
        changes={changes.length}
        isNothing={isNothing}
        proposal={proposal}
        comment={comment}
        onComment={onComment}
        onClose={onClose}
        finish={finish}
      />
    </Dialog>
  );
}

/** What the buttons at the end do: save a version, propose it, at a time or not, or save the proposal that is edited. */
function useFinish({ stateKey, base, next, proposal, comment, onConflict, onSaved, onProposed }: ReviewDialogProps) {
  const t = useTexts();
  const r = useReleaseTexts();
  return useAction(async (isProposed: boolean, times?: Times) => {
    const write = { base, next, comment };
    if (proposal !== undefined) {
      const edited = await editProposal({ ...stateKey, proposalId: proposal.id }, proposal.revision, write);
      if (edited === undefined) throw new Error(r.moved);
      toast(proposal.approvals.length > 0 ? r.savedDropped : r.saved);
      return onProposed(edited);
    }
    const outcome = await writeOrPropose(stateKey, write, { isProposed, times, said: t.state.saved });
    if (outcome === undefined) return onConflict();
    if (outcome.kind === 'written') onSaved(outcome.record);
    else onProposed(outcome.proposal);
  });
}
