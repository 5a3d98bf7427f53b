/** Writes the chosen changes to another environment, or proposes them, with a comment. Before writing to production, it lists them again. */
import { commentCharactersMax, type Environment } from '@holdfast/contract';
import type { JsonObject } from '@holdfast/json';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import type { Times } from '../../api/proposals.ts';
import { forgetState, stateQuery } from '../../api/queries.ts';
import { emptyDocument, type StateRecord } from '../../api/state.ts';
import { Diff } from '../../diff/diff.tsx';
import type { ValueChange } from '../../json-text/changes.ts';
import { useProject } from '../../page/route-params.ts';
import { ForbiddenNotice } from '../../saving/forbidden-notice.tsx';
import { useWay } from '../../saving/way-choice.tsx';
import { writeOrPropose } from '../../saving/write.ts';
import { useWriting, type Writing } from '../../saving/writing.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { type Action, useAction } from '../../ui/action.ts';
import { Button } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../../ui/form.tsx';
import { TitleIn } from '../../ui/title-in.tsx';
import '../../ui/save-bar.css';

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
  const promote = useAction(async (isProposed: boolean, times?: Times) => {
    onMoved(false);
    const said = (version: number) => p.done(t.environments[to], version);
    const write = { base: target, next: after, comment };
    const outcome = await writeOrPropose(key, write, { isProposed, times, said });
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
  const ask = (): void => {
    if (isConfirmed) setAsking(true);
    else if (canPromote) promote.run(writing.isProposed);
  };
  return (
    <>
      {children(
        <Form className="card" id={formId} action={{ ...promote, run: ask }}>
          <ForbiddenNotice writing={writing} env={to} />
          {!isAsked && <CommentField writing={writing} value={comment} onChange={setComment} />}
        </Form>,
      )}
      <div className="save-bar promote-end" data-writes={to}>
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
          {...{ to, target, targetName, after, chosen, writing, comment, promote }}
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
  readonly writing: Writing;
  readonly comment: string;
  readonly promote: Action<[isProposed: boolean, times?: Times]>;
  readonly onComment: (comment: string) => void;
  readonly onClose: () => void;
}

/** Asks before a write to production, and lists it again. It can be proposed or scheduled instead. */
function Question({ to, target, targetName, after, chosen, writing, comment, promote, onComment, onClose }: QuestionProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const { way, times, takes, needsComment, fields } = useWay(to, writing);
  const count = chosen.length;
  const env = t.environments[to];
  const isReady = takes(comment);
  const labels = { save: p.promoteTo(count, env), propose: p.propose(count), schedule: p.schedule(count) };
  const submit: Action = {
    ...promote,
    run: () => {
      if (isReady) promote.run(way !== 'save', times);
    },
  };
  return (
    <Dialog isOpen onClose={onClose} size="full" env={to} title={<TitleIn env={to}>{p.question(count, env)}</TitleIn>}>
      <Diff from={target?.state ?? emptyDocument} to={after} fromLabel={targetName} toLabel={p.after} changes={chosen} />
      <Form className="save-form settled" isShort={way !== 'schedule'} action={submit}>
        <Fault error={promote.fault} />
        {fields}
        <TextField
          label={t.state.comment}
          {...(needsComment && { hint: t.state.commentNeeded, required: true })}
          value={comment}
          maxLength={commentCharactersMax}
          onChange={onComment}
        />
        <FormEnd action={submit} label={labels[way]} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
