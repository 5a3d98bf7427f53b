/** Undoes what an applied proposal changed, or proposes that: the dialog of the history. */
import { useQuery } from '@tanstack/react-query';
import { versionBeforeQuery, versionQuery } from '../../api/queries.ts';
import { emptyDocument } from '../../api/state.ts';
import { undoing } from '../../history/history-comparison.tsx';
import { Restore } from '../../history/history-restore.tsx';
import { textsOf, useTexts } from '../../texts/index.ts';
import { Skeleton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { TitleIn } from '../../ui/title-in.tsx';
import type { ProposalDialogProps } from './proposal-dialogs.tsx';

const [useChangeTexts] = textsOf('changes');

export function UndoProposal({ proposalKey, proposal, onClose }: ProposalDialogProps) {
  const t = useTexts();
  const c = useChangeTexts();
  const version = proposal.appliedVersion ?? 0;
  const written = useQuery(versionQuery(proposalKey, version));
  const number = useQuery(versionBeforeQuery(proposalKey, version));
  const before = useQuery(versionQuery(proposalKey, number.data ?? 0));
  const older = number.data === 0 ? emptyDocument : before.data?.state;
  if (written.data !== undefined && older !== undefined) {
    return <Restore stateKey={proposalKey} step={undoing(t, c, older, written.data)} onClose={onClose} />;
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      title={<TitleIn env={proposalKey.env}>{c.undoTitle(version)}</TitleIn>}
      text={c.undoText}
    >
      <Fault error={written.error ?? number.error ?? before.error} />
      <Skeleton rows={6} />
    </Dialog>
  );
}
