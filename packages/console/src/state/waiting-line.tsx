/** Above the editor: what waits for the document, or the proposal that is edited. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock, ChevronRight } from 'lucide-react';
import { type Coming, comingQuery, type Proposal, type ProposalItem } from '../api/proposals.ts';
import type { StateKey } from '../api/state.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { formatClock, formatShortDay, inOneLine } from '../times/formats.ts';
import { proposalName } from '../times/proposal-state.tsx';
import { Notice } from '../ui/controls.tsx';
import './waiting-line.css';

const [useReleaseTexts] = textsOf('releases');

/** A line with the number of open proposals and the next scheduled change; empty if there are none. `isShort`: their number only. */
export function WaitingLine({ stateKey, isShort = false }: { stateKey: StateKey; isShort?: boolean }) {
  const r = useReleaseTexts();
  const { data } = useQuery(comingQuery(stateKey));
  if (data === undefined || data.open.length + data.reverting.length === 0) return null;
  const { slug, env } = stateKey;
  const all: readonly ProposalItem[] = [...data.open, ...data.reverting];
  const coming = comingSteps(data);
  const steps = (['applies', 'ends'] as const)
    .flatMap((kind) => coming.find((step) => step.kind === kind) ?? [])
    .sort((one, other) => one.at - other.at)
    .map(({ kind, at }) => r[kind](inOneLine(formatShortDay(at)), inOneLine(formatClock(at))));
  const text = [
    ...(data.open.length > 0 ? [r.pending(data.open.length)] : []),
    ...steps.map((step, index) => (index === 0 ? r.soonest(step) : step)),
  ].join(' · ');
  const [only] = all;
  const content = (
    <>
      <CalendarClock aria-hidden="true" />
      <span className="waiting-text">{text}</span>
      {isShort ? (
        <b aria-hidden="true">{formatNumber(data.open.length || all.length)}</b>
      ) : (
        <ChevronRight aria-hidden="true" />
      )}
    </>
  );
  return (
    <span className="waiting-line" data-short={isShort || undefined}>
      {only !== undefined && all.length === 1 ? (
        <Link to="/p/$slug/$env/proposals/$proposalId" params={{ slug, env, proposalId: only.id }}>
          {content}
        </Link>
      ) : (
        <Link
          to="/p/$slug/$env/proposals"
          params={{ slug, env }}
          search={{ env, ...(data.open.length === 0 && { state: 'running' }) }}
        >
          {content}
        </Link>
      )}
    </span>
  );
}

/** A proposal that is applied or ends at a set time. */
export interface ComingStep {
  readonly kind: 'applies' | 'ends';
  readonly at: number;
  readonly proposal: ProposalItem;
}

/** What happens at set times, the next first. */
export function comingSteps({ open, reverting }: Coming): readonly ComingStep[] {
  const steps = (kind: ComingStep['kind'], time: 'applyAt' | 'revertAt', proposals: readonly ProposalItem[]) =>
    proposals.flatMap((proposal): ComingStep[] => {
      const { [time]: at } = proposal;
      return at === null ? [] : [{ kind, at: Date.parse(at), proposal }];
    });
  return [...steps('applies', 'applyAt', open), ...steps('ends', 'revertAt', reverting)].sort(
    (one, other) => one.at - other.at,
  );
}

/** Says that the text is that of a proposal, and leads back to it. */
export function EditedProposal({ stateKey: { slug, env }, proposal }: { stateKey: StateKey; proposal: Proposal }) {
  const r = useReleaseTexts();
  return (
    <Notice
      title={r.editing}
      action={
        <Link className="button" to="/p/$slug/$env/proposals/$proposalId" params={{ slug, env, proposalId: proposal.id }}>
          {r.toProposal}
        </Link>
      }
    >
      {proposalName(r, proposal)}. {r.editingText}
    </Notice>
  );
}
