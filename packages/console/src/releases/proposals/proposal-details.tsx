/** Changes the comment and the times of a proposal. */
import { commentCharactersMax } from '@holdfast/contract';
import { useState } from 'react';
import { editProposal, type ProposalEdit } from '../../api/proposals.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { useTimes } from '../../times/times-fields.tsx';
import { useAction } from '../../ui/action.ts';
import { Notice } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toasts.tsx';
import { savedText } from './proposal-change.tsx';
import type { ProposalDialogProps } from './proposal-dialogs.tsx';

const [useReleaseTexts] = textsOf('releases');

/** `mayTime`: whether the user may set times. */
export function EditDetails({ proposalKey, proposal, onClose, mayTime }: ProposalDialogProps & { mayTime: boolean }) {
  const t = useTexts();
  const r = useReleaseTexts();
  const [comment, setComment] = useState(proposal.comment ?? '');
  const times = useTimes(proposal, false);
  const save = useAction(async () => {
    if (times.value === undefined) return;
    const edit: ProposalEdit = mayTime ? { comment, ...times.value } : { comment };
    const edited = await editProposal(proposalKey, proposal.revision, edit);
    toast(edited === undefined ? r.moved : savedText(r, proposal), { isFault: edited === undefined });
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={mayTime ? (proposal.applyAt === null ? r.setTimes : r.changeTimes) : r.editComment}
    >
      <Form action={save}>
        {mayTime && times.fields}
        <TextField label={t.state.comment} value={comment} onChange={setComment} maxLength={commentCharactersMax} />
        {proposal.approvals.length > 0 && <Notice kind="warn">{r.dropsApprovals(proposal.approvals.length)}</Notice>}
        <Fault error={save.fault} />
        <FormEnd action={save} label={r.saveProposal} isReady={!mayTime || times.value !== undefined} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
