/** Restores earlier content, or reverts what a version changed, or proposes it: value by value, in the current document. */
import { commentCharactersMax } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { forgetState, openingQuery } from '../api/queries.ts';
import { emptyDocument, readState, type StateKey, type StateRecord } from '../api/state.ts';
import type { Proposal } from '../diff/take-back.ts';
import { ForbiddenNotice } from '../saving/forbidden-notice.tsx';
import { writeOrPropose } from '../saving/write.ts';
import { useWriting } from '../saving/writing.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { useAction } from '../ui/action.ts';
import { Notice, Skeleton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { TitleIn } from '../ui/title-in.tsx';
import { ChosenDiff, type StepLabels, useChosen } from './chosen-diff.tsx';

const [useReleaseTexts] = textsOf('releases');
const [useHistoryTexts] = textsOf('history');

/** The texts of a dialog that restores or undoes. */
export interface StepBack extends StepLabels {
  readonly title: string;
  readonly text: string;
  readonly comment: string;
  /** What it makes of the current document. */
  readonly propose: (now: JsonObject) => Proposal;
}

interface RestoreProps {
  readonly stateKey: StateKey;
  readonly step: StepBack;
  readonly onClose: () => void;
}

export function Restore({ stateKey, step, onClose }: RestoreProps) {
  const now = useQuery(openingQuery('restoring', stateKey, readState));
  if (now.data !== undefined) {
    const again = async () => void (await now.refetch());
    return <Chosen stateKey={stateKey} step={step} onClose={onClose} now={now.data} onMoved={again} />;
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      title={<TitleIn env={stateKey.env}>{step.title}</TitleIn>}
      text={step.text}
    >
      <Fault error={now.error} />
      <Skeleton rows={6} />
    </Dialog>
  );
}

type ChosenProps = RestoreProps & { readonly now: StateRecord | null; readonly onMoved: () => Promise<void> };

function Chosen({ stateKey, step, onClose, now, onMoved }: ChosenProps) {
  const t = useTexts();
  const h = useHistoryTexts();
  const r = useReleaseTexts();
  const navigate = useNavigate();
  const [comment, setComment] = useState(step.comment);
  const [isMoved, setMoved] = useState(false);
  const writing = useWriting(stateKey);
  const { slug, env } = stateKey;
  const state = now?.state ?? emptyDocument;
  // The proposal of the first rendering for this document: its choices belong to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const proposal = useMemo(() => step.propose(state), [state]);
  const chosen = useChosen(state, proposal);
  const restore = useAction(async () => {
    setMoved(false);
    const write = { base: now, next: chosen.next, comment };
    const outcome = await writeOrPropose(stateKey, write, { isProposed: writing.isProposed, said: t.history.restored });
    if (outcome === undefined) {
      setMoved(true);
      return onMoved();
    }
    if (outcome.kind === 'proposed') {
      const params = { slug, env, proposalId: outcome.proposal.id };
      await navigate({ to: '/p/$slug/$env/proposals/$proposalId', params });
      return onClose();
    }
    await forgetState(stateKey);
    await navigate({ to: '/p/$slug/$env/history', params: { slug, env }, search: {} });
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      env={env}
      title={<TitleIn env={env}>{step.title}</TitleIn>}
      text={step.text}
    >
      <ForbiddenNotice writing={writing} env={env} />
      {isMoved && <Notice kind="warn">{t.history.moved}</Notice>}
      <ChosenDiff
        now={state}
        chosen={chosen}
        laterCount={proposal.left.size}
        fromLabel={`${t.history.current} · ${now === null ? '–' : t.common.version(now.version)}`}
        toLabel={h.afterwards}
      />
      <Fault error={restore.fault} />
      <Form className="save-form" isShort action={restore}>
        <TextField label={t.state.comment} value={comment} onChange={setComment} maxLength={commentCharactersMax} />
        <FormEnd
          action={restore}
          label={writing.isProposed ? r.propose : chosen.labelOf(step)}
          isReady={!chosen.isNothing && writing.takes(comment)}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
