/** Restores a version: its content becomes a new one. */
import { commentCharactersMax } from '@holdfast/contract';
import { isSame } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { forgetState, openingQuery } from '../api/queries.ts';
import { emptyDocument, readState, type StateKey, type StateRecord, writeState } from '../api/state.ts';
import { Diff, useDiffMode } from '../state/diff.tsx';
import { ForbiddenNotice } from '../state/forbidden-notice.tsx';
import { undoOf } from '../state/undo.ts';
import { useWriting } from '../state/writing.ts';
import { useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Notice, Skeleton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';

export function Restore({ stateKey, record, onClose }: { stateKey: StateKey; record: StateRecord; onClose: () => void }) {
  const t = useTexts();
  const navigate = useNavigate();
  const [mode] = useDiffMode();
  const [comment, setComment] = useState(t.history.restoreComment(record.version));
  const [isMoved, setMoved] = useState(false);
  const { slug, env } = stateKey;
  const now = useQuery(openingQuery('restoring', stateKey, readState));
  const restore = useAction(async () => {
    if (now.data === undefined) return;
    setMoved(false);
    const written = await writeState(stateKey, { base: now.data, next: record.state, comment });
    if (written === undefined) {
      setMoved(true);
      await now.refetch();
      return;
    }
    toast(t.history.restored(written.version), { action: undoOf(stateKey, now.data, written) });
    await forgetState(stateKey);
    await navigate({ to: '/p/$slug/$env/history', params: { slug, env }, search: {} });
    onClose();
  });
  const writing = useWriting(stateKey);
  const isNothing = now.data != null && isSame(now.data.state, record.state);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      env={env}
      title={t.history.restoreTitle(record.version)}
      text={t.history.restoreText}
    >
      <ForbiddenNotice writing={writing} env={env} />
      {isMoved && <Notice kind="warn">{t.history.moved}</Notice>}
      {isNothing && <Notice>{t.history.same}</Notice>}
      {now.data === undefined ? (
        <Skeleton rows={6} />
      ) : (
        <Diff
          from={now.data?.state ?? emptyDocument}
          to={record.state}
          fromLabel={`${t.history.current} · ${now.data === null ? '–' : t.common.version(now.data.version)}`}
          toLabel={t.common.version(record.version)}
          mode={mode}
        />
      )}
      <Fault error={restore.fault ?? now.error} />
      <Form className="save-form" action={restore}>
        <TextField label={t.state.comment} value={comment} onChange={setComment} maxLength={commentCharactersMax} />
        <FormEnd
          action={restore}
          label={t.history.restore}
          isReady={now.data !== undefined && !isNothing && !writing.isForbidden && writing.takes(comment)}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
