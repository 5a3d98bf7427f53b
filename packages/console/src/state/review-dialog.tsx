/** What will be saved, before it is: the difference, and a comment. */
import { commentCharactersMax } from '@holdfast/contract';
import { diff, type JsonObject } from '@holdfast/json';
import { type FormEvent, useMemo, useState } from 'react';
import { emptyDocument, type StateKey, type StateRecord, VersionConflict, writeState } from '../api/state.ts';
import { useTexts } from '../texts/index.ts';
import { Button, EnvironmentName, Field, Notice } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { toast } from '../ui/toasts.tsx';
import { Diff, DiffModeChoice, useDiffMode } from './diff.tsx';
import { undoOf } from './undo.ts';

export interface ReviewDialogProps {
  readonly stateKey: StateKey;
  readonly base: StateRecord | null;
  readonly next: JsonObject;
  /** What the merge before it was made with, if there was one. */
  readonly mergedVersion: number | undefined;
  readonly onClose: () => void;
  /** Somebody else was first. Resolves when that has been merged. */
  readonly onConflict: () => Promise<void>;
  readonly onSaved: (record: StateRecord) => void;
}

export function ReviewDialog(props: ReviewDialogProps) {
  const { stateKey, base, next, mergedVersion, onClose, onConflict, onSaved } = props;
  const t = useTexts();
  const [mode, setMode] = useDiffMode();
  const [comment, setComment] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const stored = base?.state ?? emptyDocument;
  const changes = useMemo(() => diff(stored, next).length, [stored, next]);
  const isNothing = changes === 0 && base !== null;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isNothing) return;
    setBusy(true);
    setFault(undefined);
    try {
      const record = await writeState(stateKey, { base, next, comment });
      toast(t.state.saved(record.version), { action: undoOf(stateKey, base, record) });
      onSaved(record);
    } catch (error) {
      if (error instanceof VersionConflict) await onConflict().catch(setFault);
      else setFault(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog isOpen onClose={onClose} title={t.state.reviewTitle} size="full">
      {mergedVersion !== undefined && (
        <Notice kind="good" title={t.state.mergedTitle(mergedVersion)}>
          {t.state.mergedText}
        </Notice>
      )}
      <div className="diff-bar">
        <EnvironmentName env={stateKey.env} />
        <span className="badge">{t.state.reviewText(changes)}</span>
        <DiffModeChoice mode={mode} onChange={setMode} />
      </div>
      {isNothing ? (
        <Notice>{t.state.nothingToSave}</Notice>
      ) : (
        <Diff
          from={stored}
          to={next}
          fromLabel={base === null ? t.state.notSaved : `${t.state.stored} · ${t.common.version(base.version)}`}
          toLabel={t.state.yours}
          mode={mode}
        />
      )}
      <Fault error={fault} />
      <form className="save-form" onSubmit={(event) => void save(event)}>
        <Field label={t.state.comment} hint={t.state.commentHint}>
          {(attributes) => (
            <input
              {...attributes}
              value={comment}
              maxLength={commentCharactersMax}
              onChange={(event) => setComment(event.target.value)}
              autoComplete="off"
            />
          )}
        </Field>
        <div className="form-actions">
          <Button onClick={onClose}>{t.state.keepEditing}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy} disabled={isNothing}>
            {isBusy ? t.state.saving : t.state.saveVersion}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
