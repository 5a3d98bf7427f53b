/** Above the editor: what waits for the document, or the proposal that is edited. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock, ChevronRight } from 'lucide-react';
import { comingQuery, type Proposal, type ProposalItem } from '../api/proposals.ts';
import type { StateKey } from '../api/state.ts';
import { formatClock, formatShortDay } from '../releases/formats.ts';
import { proposalName } from '../releases/proposals/proposal-state.tsx';
import { useReleaseTexts } from '../texts/releases.ts';
import { Notice } from '../ui/controls.tsx';
import { wideWindow } from '../ui/wide-window.ts';

const useIsWide = wideWindow(641);

/** A line with the pending proposals, as their list shows them, and the next scheduled change; empty if there are none. */
export function WaitingLine({ stateKey }: { stateKey: StateKey }) {
  const r = useReleaseTexts();
  const isWide = useIsWide();
  const { data } = useQuery(comingQuery(stateKey));
  if (data === undefined || data.open.length + data.reverting.length === 0) return null;
  const { slug, env } = stateKey;
  const all: readonly ProposalItem[] = [...data.open, ...data.reverting];
  const apply = earliest(data.open.map(({ applyAt }) => applyAt));
  const revert = earliest(data.reverting.map(({ revertAt }) => revertAt));
  const next = earliest([apply, revert]);
  const parts = isWide
    ? [
        r.pending(all.length),
        apply !== undefined && r.nextApply(formatShortDay(apply), formatClock(apply)),
        revert !== undefined && r.nextRevert(formatShortDay(revert), formatClock(revert)),
      ]
    : [r.pendingShort(all.length), next !== undefined && r.nextShort(formatShortDay(next))];
  const [only] = all;
  const content = (
    <>
      <CalendarClock aria-hidden="true" />
      <span>{parts.filter(Boolean).join(' · ')}</span>
      <ChevronRight aria-hidden="true" />
    </>
  );
  return (
    <p className="waiting-line">
      {only !== undefined && all.length === 1 ? (
        <Link to="/p/$slug/$env/proposals/$proposalId" params={{ slug, env, proposalId: only.id }}>
          {content}
        </Link>
      ) : (
        <Link to="/p/$slug/$env/proposals" params={{ slug, env }}>
          {content}
        </Link>
      )}
    </p>
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
