/** Writes the chosen changes to another environment, or proposes them, with a comment. Before writing to production, it lists them again. */
import { commentCharactersMax, type Environment } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { forgetState, stateQuery } from '../api/queries.ts';
import type { StateRecord } from '../api/state.ts';
import { useProject } from '../shell/route-params.ts';
import type { ValueChange } from '../state/changes.ts';
import { ForbiddenNotice } from '../state/forbidden-notice.tsx';
import { ChangePath, ChangeValues } from '../state/value-change.tsx';
import { writeOrPropose } from '../state/write.ts';
import { useWriting } from '../state/writing.ts';
import { useTexts } from '../texts/index.ts';
import { useReleaseTexts } from '../texts/releases.ts';
import { type Action, useAction } from '../ui/action.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';

interface PromoteProps {
  readonly to: Environment;
  readonly target: StateRecord | null;
  readonly after: JsonObject;
  /** The changes to promote. */
  readonly chosen: readonly ValueChange[];
  readonly firstComment: string;
  readonly isReady: boolean;
  /** Whether somebody else has written meanwhile. */
  readonly onMoved: (isMoved: boolean) => void;
}

export function Promote({ to, target, after, chosen, firstComment, isReady, onMoved }: PromoteProps) {
  const t = useTexts();
  const project = useProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const r = useReleaseTexts();
  const [typed, setComment] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const comment = typed ?? firstComment;
  const key = { ...project, env: to };
  const writing = useWriting(key);
  const canPromote = isReady && writing.takes(comment);
  const promote = useAction(async () => {
    if (!canPromote) return;
    onMoved(false);
    const said = (version: number) => t.promote.done(t.environments[to], version);
    const write = { base: target, next: after, comment };
    const outcome = await writeOrPropose(key, write, { isProposed: writing.isProposed, said });
    setAsking(false);
    if (outcome === undefined) {
      onMoved(true);
      return queries.invalidateQueries(stateQuery(key));
    }
    if (outcome.kind === 'proposed') {
      const params = { slug: project.slug, env: to, proposalId: outcome.proposal.id };
      return navigate({ to: '/p/$slug/$env/proposals/$proposalId', params });
    }
    queries.setQueryData(stateQuery(key).queryKey, outcome.record);
    await forgetState(key);
  });
  const isConfirmed = to === 'production' && chosen.length > 0 && !writing.isProposed;
  const ask: Action = isConfirmed ? { ...promote, run: () => canPromote && setAsking(true) } : promote;
  return (
    <>
      <Form className="card" action={ask}>
        <ForbiddenNotice writing={writing} env={to} />
        <TextField
          label={t.state.comment}
          {...(writing.isProtected && !writing.isProposed && { hint: t.state.commentNeeded, required: true })}
          value={comment}
          maxLength={commentCharactersMax}
          onChange={setComment}
        />
        {!isAsking && <Fault error={promote.fault} />}
        <span data-writes={to}>
          <Button kind="primary" type="submit" isBusy={promote.isBusy} disabled={!canPromote}>
            {writing.isProposed ? r.proposeFor(t.environments[to]) : t.promote.promote(t.environments[to])}
          </Button>
        </span>
      </Form>
      {isAsking && <Question {...{ to, chosen, comment, promote }} onClose={() => setAsking(false)} />}
    </>
  );
}

interface QuestionProps extends Pick<PromoteProps, 'to' | 'chosen'> {
  readonly comment: string;
  readonly promote: Action;
  readonly onClose: () => void;
}

/** Changes over this number are counted, but not listed. */
const listedMax = 30;

function Question({ to, chosen, comment, promote, onClose }: QuestionProps) {
  const t = useTexts();
  const count = chosen.length;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      env={to}
      title={t.promote.question(count, t.environments[to])}
      text={t.promote.confirmProduction}
    >
      <ul className="promoted-changes">
        {chosen.slice(0, listedMax).map((change) => (
          <li key={change.id}>
            <ChangePath change={change} />
            <ChangeValues change={change} />
          </li>
        ))}
        {count > listedMax && <li className="hint">{t.state.moreFindings(count - listedMax)}</li>}
      </ul>
      {comment.trim() !== '' && (
        <p className="hint">
          {t.state.comment}: <bdi>{comment}</bdi>
        </p>
      )}
      <Form action={promote}>
        <Fault error={promote.fault} />
        <FormEnd action={promote} label={t.promote.promoteCount(count)} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
