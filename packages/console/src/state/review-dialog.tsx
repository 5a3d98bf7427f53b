/** Reviews changes before they are saved, with a comment. */
import { commentCharactersMax, type Environment } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import { useMemo } from 'react';
import { emptyDocument, type StateKey, type StateRecord, writeState } from '../api/state.ts';
import { type Texts, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { EnvironmentName, Notice } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { compare } from './changes.ts';
import { Diff, DiffModeChoice, useDiffMode } from './diff.tsx';
import { useEarlierFindings } from './document-check.ts';
import type { Finding } from './document-text.ts';
import { Findings } from './findings.tsx';
import { TheirComment } from './their-comment.tsx';
import { undoOf } from './undo.ts';
import { useWriting } from './writing.ts';

export interface ReviewDialogProps {
  readonly stateKey: StateKey;
  readonly base: StateRecord | null;
  readonly next: JsonObject;
  /** Its faults. */
  readonly findings: readonly Finding[];
  /** The stored version used for an earlier merge, if any. */
  readonly mergedWith: StateRecord | undefined;
  readonly comment: string;
  readonly onComment: (comment: string) => void;
  readonly onClose: () => void;
  /** Somebody else was first. Resolves when their changes are merged. */
  readonly onConflict: () => Promise<void>;
  readonly onSaved: (record: StateRecord) => void;
}

export function ReviewDialog(props: ReviewDialogProps) {
  const { stateKey, base, next, findings, mergedWith, comment, onComment, onClose, onConflict, onSaved } = props;
  const t = useTexts();
  const [mode, setMode] = useDiffMode();
  const stored = base?.state ?? emptyDocument;
  const { changes } = useMemo(() => compare(stored, next), [stored, next]);
  const isNothing = changes.length === 0 && base !== null;
  const writing = useWriting(stateKey);
  const earlier = useEarlierFindings(stateKey, base, findings);
  const isReady = !isNothing && writing.takes(comment);

  const save = useAction(async () => {
    if (!isReady) return;
    const record = await writeState(stateKey, { base, next, comment });
    if (record === undefined) return onConflict();
    toast(t.state.saved(record.version), { action: undoOf(stateKey, base, record) });
    onSaved(record);
  });
  return (
    <Dialog isOpen onClose={onClose} title={t.state.reviewTitle} size="full" env={stateKey.env}>
      {mergedWith !== undefined && (
        <Notice kind="good" title={t.state.mergedTitle(mergedWith.version)}>
          {t.state.mergedText}
          <TheirComment record={mergedWith} />
        </Notice>
      )}
      <div className="diff-bar">
        <EnvironmentName env={stateKey.env} />
        <span className="badge">{t.state.reviewText(changes.length)}</span>
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
          changes={changes}
        />
      )}
      <Findings findings={findings} earlier={earlier} />
      <Fault error={save.fault} />
      <Form className="save-form" action={save}>
        <TextField
          label={t.state.comment}
          hint={writing.isProtected ? t.state.commentNeeded : t.state.commentHint}
          required={writing.isProtected}
          value={comment}
          onChange={onComment}
          maxLength={commentCharactersMax}
        />
        <FormEnd
          action={save}
          label={save.isBusy ? t.state.saving : saveLabel(t, stateKey.env, changes.length)}
          isReady={isReady}
          onCancel={onClose}
          cancelLabel={t.state.keepEditing}
        />
      </Form>
    </Dialog>
  );
}

/** For production, where players are affected, the button names its effect. */
const saveLabel = (t: Texts, env: Environment, changes: number): string =>
  env === 'production' ? t.state.saveTo(changes, t.environments[env]) : t.state.saveVersion;
