/** What a proposal changes: the difference, what prevents it, and the choice among conflicting values. */
import {
  applyOperations,
  conflictName,
  isContainer,
  type JsonObject,
  type MergeConflict,
  merge3,
  type PatchOperation,
  pathOfPointer,
  printJson,
} from '@holdfast/json';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { editProposal, type Proposal, type ProposalKey, proposalQuery } from '../../api/proposals.ts';
import { queryClient, versionQuery } from '../../api/queries.ts';
import { keyOf } from '../../api/query-key.ts';
import { emptyDocument, readState, readVersion, type StateRecord } from '../../api/state.ts';
import { Diff } from '../../diff/diff.tsx';
import { compare } from '../../json-text/changes.ts';
import type { Finding } from '../../json-text/document-text.ts';
import type { Overlap } from '../../open-text/rebase.ts';
import { Findings } from '../../problems/findings.tsx';
import { type Choices, ConflictList, isSettled } from '../../saving/conflict-dialog.tsx';
import { type Texts, textsOf, useTexts } from '../../texts/index.ts';
import type { ReleaseTexts } from '../../texts/releases-en.ts';
import { violationText } from '../../texts/violations.ts';
import { useAction } from '../../ui/action.ts';
import { Button, Notice, Skeleton } from '../../ui/controls.tsx';
import { Fault } from '../../ui/fault.tsx';
import { flagSentence } from '../../ui/flag-sentence.ts';
import { Form } from '../../ui/form.tsx';
import { plain } from '../../ui/plain-text.ts';
import { pathText } from '../../ui/pointer-text.ts';
import { toast } from '../../ui/toasts.tsx';
import '../../ui/change-list.css';

const [usePromoteTexts] = textsOf('promote');
const [useReleaseTexts] = textsOf('releases');

interface ChangeProps {
  readonly proposalKey: ProposalKey;
  readonly proposal: Proposal;
  /** Whether the user may edit it. */
  readonly mayEdit: boolean;
}

export function ProposalChange({ proposalKey, proposal, mayEdit }: ChangeProps) {
  const t = useTexts();
  const { state, merged } = proposal;
  const findings = useMemo(() => (merged === null ? [] : findingsOf(t, merged.violations)), [t, merged]);
  return (
    <section className="proposal-change">
      {merged !== null && merged.conflicts.length > 0 && (
        <Conflicts proposalKey={proposalKey} proposal={proposal} conflicts={merged.conflicts} mayEdit={mayEdit} />
      )}
      <Findings findings={findings} earlier={none} />
      {merged !== null ? (
        <Difference
          proposalKey={proposalKey}
          version={merged.version}
          ops={merged.ops}
          hasConflicts={merged.conflicts.length > 0}
          isOpen
        />
      ) : state === 'withdrawn' ? (
        <Dropped />
      ) : (
        <Difference proposalKey={proposalKey} version={proposal.baseVersion} ops={proposal.ops} hasConflicts={false} />
      )}
    </section>
  );
}

const none: ReadonlySet<Finding> = new Set();

function Dropped() {
  const r = useReleaseTexts();
  return <Notice>{r.dropped}</Notice>;
}

interface DifferenceProps {
  readonly proposalKey: ProposalKey;
  /** The version that the operations change; null for none. */
  readonly version: number | null;
  readonly ops: readonly PatchOperation[];
  readonly hasConflicts: boolean;
  /** Whether the version is the current one. */
  readonly isOpen?: true;
}

function Difference({ proposalKey, version, ops, hasConflicts, isOpen }: DifferenceProps) {
  const t = useTexts();
  const p = usePromoteTexts();
  const r = useReleaseTexts();
  const before = useQuery(versionQuery(proposalKey, version ?? 0));
  // While a version is read, the one before is still there.
  const from = version === null ? emptyDocument : before.data?.version === version ? before.data.state : undefined;
  const compared = useMemo(() => (from === undefined ? undefined : comparedTo(from, ops)), [from, ops]);
  if (before.error !== null) return <Notice>{r.baseGone}</Notice>;
  if (from === undefined || compared === undefined) return <Skeleton rows={8} />;
  const { to, changes } = compared;
  if (changes.length === 0) {
    if (!isOpen) return <Notice>{r.noChange}</Notice>;
    return hasConflicts ? null : <Notice kind="good">{r.nothingLeft}</Notice>;
  }
  const name = version === null ? p.empty : t.common.version(version);
  return (
    <Diff from={from} to={to} fromLabel={isOpen ? `${r.today} · ${name}` : name} toLabel={r.afterwards} changes={changes} />
  );
}

function comparedTo(from: JsonObject, ops: readonly PatchOperation[]) {
  const applied = applyOperations(from, ops);
  const to = applied.kind === 'patched' ? applied.document : from;
  return { to, changes: compare(from, to).changes };
}

/** Violations in the words of the editor. The service refuses all of them. */
function findingsOf(t: Texts, violations: NonNullable<Proposal['merged']>['violations']): readonly Finding[] {
  return violations.map((violation): Finding => {
    const { path, keyword, message } = violation;
    if (keyword !== 'flags') return { path, message: violationText(violation), severity: 'error' };
    const flag = pathOfPointer(path)[1] ?? '';
    return { path, flag, message: flagSentence(t, flag, message), severity: 'error' };
  });
}

interface ConflictsProps extends ChangeProps {
  /** JSON Pointers. */
  readonly conflicts: readonly string[];
}

/** Where the document has changed since, and the choice between both. */
function Conflicts({ proposalKey, proposal, conflicts, mayEdit }: ConflictsProps) {
  const t = useTexts();
  const r = useReleaseTexts();
  const overlap = useQuery(overlapQuery(proposalKey, proposal));
  const { data: found } = overlap;
  return (
    <>
      <Notice kind="bad" title={r.conflictTitle(conflicts.length)}>
        {mayEdit ? r.conflictText(conflicts.length) : r.conflictOther}
        {!found && (
          <ul className="findings">
            {conflicts.slice(0, shownMax).map((pointer) => (
              <li key={pointer}>
                <bdi>{pathText(pointer) || '{ }'}</bdi>
              </li>
            ))}
          </ul>
        )}
      </Notice>
      {!found && <Fault error={overlap.error} onRetry={() => void overlap.refetch()} />}
      {found && mayEdit && (
        <ConflictChoice key={found.theirs.version} proposalKey={proposalKey} proposal={proposal} overlap={found} />
      )}
      {found && !mayEdit && <ConflictList overlap={found} heading="h2" max={shownMax} labels={r.sides} />}
      {found && !mayEdit && conflicts.length > shownMax && (
        <p className="hint">{t.state.moreFindings(conflicts.length - shownMax)}</p>
      )}
    </>
  );
}

interface ConflictChoiceProps {
  readonly proposalKey: ProposalKey;
  readonly proposal: Proposal;
  readonly overlap: Overlap<StateRecord>;
}

/** The choice between what is there now and what is proposed, which becomes the proposal. */
function ConflictChoice({ proposalKey, proposal, overlap }: ConflictChoiceProps) {
  const { theirs, merge } = overlap;
  const r = useReleaseTexts();
  const [choices, setChoices] = useState<Choices>(new Map());
  const isReady = isSettled(merge.conflicts, choices);
  const settle = useAction(async () => {
    if (!isReady) return;
    const write = { base: theirs, next: merge.build(choices), comment: proposal.comment ?? '' };
    const edited = await editProposal(proposalKey, proposal.revision, write);
    toast(edited === undefined ? r.moved : savedText(r, proposal), { isFault: edited === undefined });
  });
  return (
    <Form action={settle} className="conflict-form">
      <ConflictList overlap={overlap} heading="h2" labels={r.sides} choices={choices} onChoose={setChoices} />
      <Fault error={settle.fault} />
      <div className="form-actions">
        <Button kind="primary" type="submit" isBusy={settle.isBusy} disabled={!isReady}>
          {chosenText(r, merge.conflicts, choices)}
        </Button>
      </div>
    </Form>
  );
}

/** A button has room for so many characters of a value. */
const namedMax = 24;

/** Names the chosen value if there is one alone, and it is short. */
function chosenText(r: ReleaseTexts, conflicts: readonly MergeConflict[], choices: Choices): string {
  const [only] = conflicts;
  const side = only && choices.get(conflictName(only.path));
  const value = only && side && only[side];
  if (conflicts.length > 1 || value === undefined || isContainer(value)) return r.takeChosen(conflicts.length);
  const text = plain(printJson(value));
  return text.length > namedMax ? r.takeChosen(1) : r.takeValue(text);
}

const shownMax = 20;

export const savedText = (r: ReleaseTexts, { approvals }: Pick<Proposal, 'approvals'>): string =>
  approvals.length > 0 ? r.savedDropped : r.saved;

/** A proposal that no longer fits what is stored is read again. */
const overlapQuery = (key: ProposalKey, proposal: Proposal) =>
  queryOptions({
    queryKey: [...keyOf('readProposal', key), 'overlap', proposal.revision, proposal.merged?.version],
    queryFn: async () => {
      const found = await overlapOf(key, proposal);
      if (found !== undefined) return found;
      await queryClient.invalidateQueries({ queryKey: proposalQuery(key).queryKey, exact: true });
      throw new TypeError('the proposal does not fit the stored document');
    },
    retry: false,
  });

/** Merges the proposal into the current document, as the service does. */
async function overlapOf(key: ProposalKey, { baseVersion, ops }: Proposal): Promise<Overlap<StateRecord> | undefined> {
  const [base, theirs] = await Promise.all([
    baseVersion === null ? undefined : readVersion(key, baseVersion),
    readState(key),
  ]);
  const before = base?.state ?? emptyDocument;
  const applied = applyOperations(before, ops);
  if (theirs === null || applied.kind !== 'patched') return undefined;
  return { theirs, merge: merge3(before, theirs.state, applied.document) };
}
