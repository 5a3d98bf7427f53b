/** The proposals of a project, of all environments or one. */
import { type Environment, environments } from '@holdfast/contract';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { GitPullRequestArrow } from 'lucide-react';
import type { ReactNode } from 'react';
import { comingTimes } from '../../api/proposal-times.ts';
import type { ListedProposals } from '../../api/proposals.ts';
import type { ProjectKey } from '../../api/queries.ts';
import { useSubject } from '../../api/signed-in.ts';
import { isMissing, NotFound } from '../../page/not-found.tsx';
import { useStateKey } from '../../page/route-params.ts';
import { formatAgo, textsOf, useTexts } from '../../texts/index.ts';
import type { ReleaseTexts } from '../../texts/releases-en.ts';
import { formatDayTime, formatDayTimes, inOneLine } from '../../times/formats.ts';
import { ListedBadge, proposalName } from '../../times/proposal-state.tsx';
import { needs } from '../../times/standing.ts';
import { authorName } from '../../ui/authors.ts';
import { Button, EmptyState, EnvironmentName, Segments, Skeleton } from '../../ui/controls.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Choice, Filters, More } from '../../ui/filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Below, type Column, Table } from '../../ui/table.tsx';
import { type ProposalRow, useProposals } from './use-proposals.ts';
import './proposal-page.css';

const [useReleaseTexts] = textsOf('releases');

const states = ['open', 'running', 'applied', 'withdrawn', 'failed', 'all'] as const satisfies ListedProposals[];

export function ProposalsPage() {
  const t = useTexts();
  const r = useReleaseTexts();
  const key = useStateKey();
  const { slug } = key;
  const { state = 'open', env: shown } = useSearch({ from: '/shell/p/$slug/$env/proposals' });
  const navigate = useNavigate();
  const found = useProposals(key, state);
  if (isMissing(found.error)) return <NotFound />;
  const go = (next: typeof state, env: Environment | undefined) =>
    void navigate({
      to: '/p/$slug/$env/proposals',
      params: { slug, env: env ?? key.env },
      search: { ...(next !== 'open' && { state: next }), ...(env && { env }) },
    });
  const rows = found.rows.filter(({ env }) => shown === undefined || env === shown);
  return (
    <div className="page proposals-page">
      <PageHeader title={t.nav.proposals} lead={r.lead} />
      <Filters>
        <Segments
          label={t.nav.environment}
          value={shown ?? 'all'}
          onChange={(next) => go(state, next === 'all' ? undefined : next)}
          options={(['all', ...environments] as const).map((value) => ({
            value,
            label: (
              <>
                {value === 'all' ? r.filters.all : <EnvironmentName env={value} />} <small>{found.countOf(value)}</small>
              </>
            ),
          }))}
        />
        <Choice
          label={r.show}
          value={state}
          onChange={(next) => go(next, shown)}
          options={states.map((one) => ({ value: one, label: r.filters[one] }))}
        />
      </Filters>
      <Fault error={found.error} onRetry={found.retry} />
      {!found.isLoaded && !found.error && <Skeleton rows={5} />}
      {found.isLoaded &&
        (rows.length > 0 ? (
          <Proposals project={key} rows={byNeed(rows)} />
        ) : (
          <Nothing slug={slug} env={shown} here={key.env} state={state} />
        ))}
      {found.more !== undefined && (
        <More>
          <Button isBusy={found.isReadingMore} onClick={found.more}>
            {t.common.more}
          </Button>
        </More>
      )}
    </div>
  );
}

interface NothingProps {
  readonly slug: string;
  /** Undefined for all of them. */
  readonly env: Environment | undefined;
  /** The environment of the configuration that is opened. */
  readonly here: Environment;
  readonly state: (typeof states)[number];
}

function Nothing({ slug, env, here, state }: NothingProps) {
  const t = useTexts();
  const r = useReleaseTexts();
  /** Whether the list includes all open proposals. */
  const isOpen = state === 'open' || state === 'all';
  const place = env && t.environments[env];
  return (
    <EmptyState
      icon={<GitPullRequestArrow />}
      title={state === 'all' ? r.emptyOfAll(place) : r.empty(r.filters[state], place)}
      action={
        isOpen ? (
          <Link className="button" to="/p/$slug/$env/state" params={{ slug, env: here }}>
            {r.toState}
          </Link>
        ) : (
          <Link
            className="button"
            to="/p/$slug/$env/proposals"
            params={{ slug, env: here }}
            search={{ ...(env && { env }) }}
          >
            {r.showOpen}
          </Link>
        )
      }
    >
      {isOpen ? r.emptyText : r.openInstead}
    </EmptyState>
  );
}

function Proposals({ project: { accountId, slug }, rows }: { project: ProjectKey; rows: readonly ProposalRow[] }) {
  const t = useTexts();
  const r = useReleaseTexts();
  const subject = useSubject();
  const approvals: Column<ProposalRow> = {
    name: r.approvals,
    isLeast: true,
    cell: ({ proposal }) =>
      proposal.state === 'open' && proposal.requiredApprovals > 0
        ? r.approvalsOf(proposal.approvals.length, proposal.requiredApprovals)
        : proposal.approvals.length || null,
  };
  return (
    <Table
      label={t.nav.proposals}
      rows={rows}
      keyOf={({ proposal }) => proposal.id}
      isLinked
      columns={[
        {
          name: r.proposal,
          cell: ({ env, proposal }) => (
            <>
              <Link to="/p/$slug/$env/proposals/$proposalId" params={{ slug, env, proposalId: proposal.id }}>
                <bdi>{proposalName(r, proposal)}</bdi>
              </Link>
              <Below>
                <EnvironmentName env={env} /> ·{' '}
                <bdi>{r.by(authorName(t, proposal.author, subject), inOneLine(formatAgo(proposal.createdAt)))}</bdi>
              </Below>
            </>
          ),
        },
        {
          name: r.state,
          isPlain: true,
          cell: ({ env, proposal }) => <ListedBadge stateKey={{ accountId, slug, env }} proposal={proposal} />,
        },
        ...(rows.some(isApprovalShown) ? [approvals] : []),
        { name: r.next, isPlain: true, cell: (row) => whenOf(r, row) },
      ]}
    />
  );
}

const isApprovalShown = ({ proposal: { state, approvals, requiredApprovals } }: ProposalRow): boolean =>
  approvals.length > 0 || (state === 'open' && requiredApprovals > 0);

/** When it is in force, or what must come first; null for one that never was. */
function whenOf(r: ReleaseTexts, { proposal, standing }: ProposalRow): ReactNode {
  const { state, appliedAt, applyAt, revertedAt, revertAt } = proposal;
  const [start, end] = [appliedAt ?? applyAt, revertedAt ?? revertAt].map((time) =>
    time == null ? null : Date.parse(time),
  );
  if (state === 'withdrawn') return null;
  if (start == null && standing === 'ready') return r.anyTime;
  if (start == null && (standing === 'conflict' || standing === 'faulty')) return r.needsDecision;
  if (start == null && standing === 'unapproved') return r.onceApproved;
  if (start == null) return end == null ? null : r.until(formatDayTime(end));
  return end == null ? formatDayTime(start) : formatDayTimes(start, end);
}

/** Sorts by urgency, then by next time; otherwise keeps the order. */
function byNeed(rows: readonly ProposalRow[]): readonly ProposalRow[] {
  const timeOf = ({ proposal }: ProposalRow) => {
    const { apply, revert } = comingTimes(proposal);
    const next = apply ?? revert;
    return next === null ? Number.POSITIVE_INFINITY : Date.parse(next);
  };
  return rows.toSorted((one, other) => {
    const needed = needs[one.standing] - needs[other.standing];
    const [first, second] = [timeOf(one), timeOf(other)];
    return needed !== 0 || first === second ? needed : first - second;
  });
}
