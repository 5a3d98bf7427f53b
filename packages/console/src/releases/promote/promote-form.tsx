/** Writes the chosen changes to another environment, or proposes them, with a comment. Before writing to production, it lists them again. */
import { commentCharactersMax, type Environment } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { forgetState, stateQuery } from '../../api/queries.ts';
import { emptyDocument, type StateRecord } from '../../api/state.ts';
import { useProject } from '../../shell/route-params.ts';
import type { ValueChange } from '../../state/changes.ts';
import { Diff } from '../../state/diff.tsx';
import { ForbiddenNotice } from '../../state/forbidden-notice.tsx';
import { writeOrPropose } from '../../state/write.ts';
import { useWriting, type Writing } from '../../state/writing.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { type Action, useAction } from '../../ui/action.ts';
import { Button } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../../ui/form.tsx';
import { TitleIn } from '../../ui/title-in.tsx';

const [usePromoteTexts] = textsOf('promote');
const [useReleaseTexts] = textsOf('releases');

interface PromoteProps {
  readonly to: Environment;
  readonly target: StateRecord | null;
  readonly targetName: string;
  readonly after: JsonObject;
  /** The changes to promote. */
  readonly chosen: readonly ValueChange[];
  /** How many changes there are. */
  readonly all: number;
  readonly firstComment: string;
  /** Whether somebody else has written meanwhile. */
  readonly onMoved: (isMoved: boolean) => void;
  /** The page around the field for the comment. */
  readonly children: (comment: ReactNode) => ReactNode;
}

/** The page of a promotion, with the bar at its end that promotes. */
export function Promote({ to, target, targetName, after, chosen, all, firstComment, onMoved, children }: PromoteProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const project = useProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const r = useReleaseTexts();
  const [typed, setComment] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const comment = typed ?? firstComment;
  const key = { ...project, env: to };
  const writing = useWriting(key);
  const formId = useId();
  const count = chosen.length;
  // A first version may be an empty document.
  const isChosen = count > 0 || all === 0;
  const canPromote = isChosen && writing.takes(comment);
  const promote = useAction(async () => {
    if (!canPromote) return;
    onMoved(false);
    const said = (version: number) => p.done(t.environments[to], version);
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
  const label = writing.isProposed
    ? r.proposeFor
    : (env: string) => (count === 0 ? p.promote(env) : p.promoteTo(count, env));
  /** Whether a question, with the comment field, comes first. */
  const isAsked = to === 'production' && !writing.isProposed && !writing.isForbidden;
  const isConfirmed = isAsked && count > 0;
  const ask: Action = isConfirmed ? { ...promote, run: () => isChosen && setAsking(true) } : promote;
  return (
    <>
      {children(
        <Form className="card" id={formId} action={ask}>
          <ForbiddenNotice writing={writing} env={to} />
          {!isAsked && <CommentField writing={writing} value={comment} onChange={setComment} />}
        </Form>,
      )}
      <div className="promote-end" data-writes={to}>
        {!isAsking && <Fault error={promote.fault} />}
        <p className="hint" aria-live="polite">
          {p.selected(count, all)}
        </p>
        <Button
          kind="primary"
          type="submit"
          form={formId}
          isBusy={promote.isBusy}
          disabled={isConfirmed ? !isChosen : !canPromote}
        >
          {label(t.environments[to])}
        </Button>
      </div>
      {isAsking && (
        <Question
          {...{ to, target, targetName, after, chosen, comment, promote }}
          isReady={canPromote}
          onComment={setComment}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface CommentFieldProps {
  readonly writing: Writing;
  readonly value: string;
  readonly onChange: (comment: string) => void;
}

function CommentField({ writing, value, onChange }: CommentFieldProps) {
  const t = useTexts();
  return (
    <TextField
      label={t.state.comment}
      {...(writing.isProtected && !writing.isProposed && { hint: t.state.commentNeeded, required: true })}
      value={value}
      maxLength={commentCharactersMax}
      onChange={onChange}
    />
  );
}

interface QuestionProps extends Pick<PromoteProps, 'to' | 'target' | 'targetName' | 'after' | 'chosen'> {
  readonly comment: string;
  readonly promote: Action;
  readonly isReady: boolean;
  readonly onComment: (comment: string) => void;
  readonly onClose: () => void;
}

/** Asks before a write to production, and lists it again. */
function Question({ to, target, targetName, after, chosen, comment, promote, isReady, onComment, onClose }: QuestionProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const r = useReleaseTexts();
  const count = chosen.length;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      env={to}
      title={<TitleIn env={to}>{p.question(count, t.environments[to])}</TitleIn>}
      text={r.immediate}
    >
      <Diff from={target?.state ?? emptyDocument} to={after} fromLabel={targetName} toLabel={p.after} changes={chosen} />
      <Form className="save-form settled" isShort action={promote}>
        <Fault error={promote.fault} />
        <TextField label={t.state.comment} value={comment} maxLength={commentCharactersMax} onChange={onComment} />
        <FormEnd action={promote} label={p.promoteTo(count, t.environments[to])} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
