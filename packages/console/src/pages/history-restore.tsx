/** Taking a version back: its content becomes a new one. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { forgetState } from '../api/queries.ts';
import { emptyDocument, readState, type StateKey, type StateRecord, VersionConflict, writeState } from '../api/state.ts';
import { Diff, useDiffMode } from '../state/diff.tsx';
import { isSame } from '../state/merge3.ts';
import { undoOf } from '../state/undo.ts';
import { useTexts } from '../texts/index.ts';
import { Button, Field, Notice, Skeleton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { toast } from '../ui/toasts.tsx';

export function Restore({ stateKey, record, onClose }: { stateKey: StateKey; record: StateRecord; onClose: () => void }) {
  const t = useTexts();
  const navigate = useNavigate();
  const [mode] = useDiffMode();
  const [comment, setComment] = useState(t.history.restoreComment(record.version));
  const [isBusy, setBusy] = useState(false);
  const [isMoved, setMoved] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const { accountId, slug, env } = stateKey;
  const now = useQuery({
    queryKey: ['restoring', accountId, slug, env],
    queryFn: () => readState(stateKey),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const restore = async () => {
    if (isBusy || now.data === undefined) return;
    setBusy(true);
    setFault(undefined);
    setMoved(false);
    try {
      const written = await writeState(stateKey, { base: now.data, next: record.state, comment });
      toast(t.history.restored(written.version), { action: undoOf(stateKey, now.data, written) });
      await forgetState(stateKey);
      await navigate({ to: '/p/$slug/$env/history', params: { slug, env }, search: {} });
      onClose();
    } catch (error) {
      if (error instanceof VersionConflict) {
        setMoved(true);
        await now.refetch();
      } else setFault(error);
    } finally {
      setBusy(false);
    }
  };
  const isNothing = now.data != null && isSame(now.data.state, record.state);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      title={t.history.restoreTitle(record.version)}
      text={t.history.restoreText}
    >
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
      <Fault error={fault ?? now.error} />
      <form
        className="save-form"
        onSubmit={(event) => {
          event.preventDefault();
          void restore();
        }}
      >
        <Field label={t.state.comment}>
          {(attributes) => (
            <input {...attributes} value={comment} maxLength={1000} onChange={(event) => setComment(event.target.value)} />
          )}
        </Field>
        <div className="form-actions">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={now.data === undefined || isNothing}>
            {t.history.restore}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
