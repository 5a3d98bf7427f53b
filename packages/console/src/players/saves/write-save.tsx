/** Writes a save on behalf of the team, after a review. The player's later changes are merged, not overwritten. */
import { isSame, type JsonObject } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { openingUserStateQuery } from '../../api/players.ts';
import { emptyDocument, readUserState, type StateRecord, writeUserState } from '../../api/state.ts';
import { Diff } from '../../diff/diff.tsx';
import { asStored } from '../../json-text/as-stored.ts';
import { type Change, type Overlap, rebased } from '../../open-text/rebase.ts';
import { useRebased } from '../../saving/rebased.tsx';
import { textsOf, useTexts } from '../../texts/index.ts';
import { useAction } from '../../ui/action.ts';
import { Notice, Skeleton } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { announce } from './announce.ts';
import { SaveDialog, useSides } from './save-dialog.tsx';
import { SaveTitle, type SaveTitleProps } from './save-title.tsx';

const [usePlayerTexts] = textsOf('players');

interface WriteSaveProps extends SaveTitleProps {
  /** The save that the change began with; null if there was none. */
  readonly opened: StateRecord | null;
  readonly mine: JsonObject;
  readonly text: string;
  /** The label of the main button. */
  readonly action: string;
  readonly comment?: string;
  readonly onClose: () => void;
  readonly onWritten: () => void;
}

type SaveChange = Change<StateRecord, JsonObject>;

const stateOf = ({ state }: StateRecord): JsonObject => state;

export function WriteSave(props: WriteSaveProps) {
  const { saveKey, opened, mine, title, onClose } = props;
  const now = useQuery(openingUserStateQuery('writing', saveKey));
  if (now.data !== undefined) {
    return <SaveReview {...props} first={rebased(now.data.record, { base: opened, next: mine }, stateOf)} />;
  }
  return (
    <Dialog isOpen onClose={onClose} size="full" title={<SaveTitle saveKey={saveKey} title={title} />}>
      <Fault error={now.error} onRetry={() => void now.refetch()} />
      {now.isPending && <Skeleton rows={8} />}
    </Dialog>
  );
}

function SaveReview({ first, ...props }: WriteSaveProps & { first: SaveChange | Overlap<StateRecord> }) {
  const { saveKey, title, text, action, onClose, onWritten } = props;
  const t = useTexts();
  const p = usePlayerTexts();
  const { change, dialog, moveTo } = useRebased(first, stateOf, onClose);
  const [comment, setComment] = useState(props.comment ?? '');
  const write = useAction(async () => {
    if (change === undefined || comment.trim() === '') return;
    const written = await writeUserState(saveKey, { ...change, comment });
    if (written === undefined) return moveTo(await readUserState(saveKey));
    await announce(saveKey, change.base, written);
    onWritten();
  });
  const sides = useSides(change?.base ?? null);
  if (change === undefined) return dialog;
  const { base, next, mergedVersion } = change;
  const isNothing = base !== null && isSame(base.state, next);
  return (
    <SaveDialog {...{ saveKey, title, text, isNothing, comment, write, onClose }} label={action} onComment={setComment}>
      {mergedVersion !== undefined && (
        <Notice kind="good" title={p.mergedTitle(mergedVersion)}>
          {p.mergedText}
        </Notice>
      )}
      {isNothing ? (
        <Notice>{t.state.nothingToSave}</Notice>
      ) : (
        <Diff from={base?.state ?? emptyDocument} to={asStored(base, next)} {...sides} />
      )}
    </SaveDialog>
  );
}
