/** Above the editor: what waits for the document, or the proposal that is edited. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock, ChevronRight } from 'lucide-react';
import { comingQuery, type Proposal, type ProposalItem } from '../api/proposals.ts';
import type { StateKey } from '../api/state.ts';
import { formatClock, formatShortDay } from '../releases/formats.ts';
import { proposalName } from '../releases/proposals/proposal-state.tsx';
import { formatNumber } from '../texts/index.ts';
import { useReleaseTexts } from '../texts/releases.ts';
import { Notice } from '../ui/controls.tsx';
import './waiting-line.css';

/** A line with the number of open proposals and the next scheduled change; empty if there are none. `isShort`: their number only. */
export function WaitingLine({ stateKey, isShort = false }: { stateKey: StateKey; isShort?: boolean }) {
  const r = useReleaseTexts();
  const { data } = useQuery(comingQuery(stateKey));
  if (data === undefined || data.open.length + data.reverting.length === 0) return null;
  const { slug, env } = stateKey;
  const all: readonly ProposalItem[] = [...data.open, ...data.reverting];
  const apply = earliest(data.open.map(({ applyAt }) => applyAt));
  const revert = earliest(data.reverting.map(({ revertAt }) => revertAt));
  const text = [
    data.open.length > 0 && r.pending(data.open.length),
    apply !== undefined && r.nextApply(formatShortDay(apply), formatClock(apply)),
    revert !== undefined && r.nextRevert(formatShortDay(revert), formatClock(revert)),
  ]
    .filter(Boolean)
    .join(' · ');
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
          search={data.open.length === 0 ? { state: 'running' } : {}}
        >
          {content}
        </Link>
      )}
    </span>
  );
}

/** The first of some times; undefined if there is none. */
export const earliest = (times: readonly (string | null | undefined)[]): string | undefined =>
  times.filter((time) => time !== null && time !== undefined).sort((one, other) => Date.parse(one) - Date.parse(other))[0];

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
