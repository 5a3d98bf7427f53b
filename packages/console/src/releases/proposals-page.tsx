/** The proposals of an environment. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { GitPullRequestArrow } from 'lucide-react';
import { type ProposalItem, proposalsQuery } from '../api/proposals.ts';
import type { StateKey } from '../api/state.ts';
import { EnvironmentSwitch } from '../shell/environment-switch.tsx';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useStateKey } from '../shell/route-params.ts';
import { useSubject } from '../shell/session.tsx';
import { authorName } from '../state/authors.ts';
import { formatAgo, useTexts } from '../texts/index.ts';
import { useReleaseTexts } from '../texts/releases.ts';
import { Button, EmptyState, PageHeader } from '../ui/controls.tsx';
import { Choice, Filters, More } from '../ui/filters.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Below, Table } from '../ui/table.tsx';
import { ComingTimes, ProposalBadge, proposalName } from './proposal-state.tsx';

const states = ['open', 'applied', 'withdrawn', 'failed', 'all'] as const;

export function ProposalsPage() {
  const t = useTexts();
  const r = useReleaseTexts();
  const key = useStateKey();
  const { slug, env } = key;
  const { state = 'open' } = useSearch({ from: '/shell/p/$slug/$env/proposals' });
  const navigate = useNavigate();
  const found = useInfiniteQuery(proposalsQuery(key, state === 'all' ? undefined : state));
  if (isMissing(found.error)) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={t.nav.proposals} lead={r.lead} />
      <Filters>
        <EnvironmentSwitch />
        <Choice
          label={r.state}
          value={state}
          onChange={(next) =>
            void navigate({
              to: '/p/$slug/$env/proposals',
              params: { slug, env },
              search: next === 'open' ? {} : { state: next },
            })
          }
          options={states.map((one) => ({ value: one, label: one === 'all' ? r.allStates : r.states[one] }))}
        />
      </Filters>
      <Loaded query={found} rows={5}>
        {({ pages }) => {
          const all = pages.flatMap(({ items }) => items);
          return all.length > 0 ? <Proposals stateKey={key} proposals={all} /> : <Nothing stateKey={key} state={state} />;
        }}
      </Loaded>
      {found.hasNextPage && (
        <More>
          <Button isBusy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t.common.more}
          </Button>
        </More>
      )}
    </div>
  );
}

function Nothing({ stateKey: { slug, env }, state }: { stateKey: StateKey; state: (typeof states)[number] }) {
  const r = useReleaseTexts();
  const isOpen = state === 'open';
  return (
    <EmptyState
      icon={<GitPullRequestArrow />}
      title={isOpen ? r.empty : r.noMatch}
      action={
        isOpen && (
          <Link className="button" to="/p/$slug/$env/state" params={{ slug, env }}>
            {r.toState}
          </Link>
        )
      }
    >
      {isOpen && r.emptyText}
    </EmptyState>
  );
}

function Proposals({ stateKey, proposals }: { stateKey: StateKey; proposals: readonly ProposalItem[] }) {
  const t = useTexts();
  const r = useReleaseTexts();
  const subject = useSubject();
  const { slug, env } = stateKey;
  return (
    <Table
      label={t.nav.proposals}
      rows={proposals}
      keyOf={({ id }) => id}
      isLinked
      columns={[
        {
          name: r.proposal,
          cell: (proposal) => (
            <>
              <Link to="/p/$slug/$env/proposals/$proposalId" params={{ slug, env, proposalId: proposal.id }}>
                <bdi>{proposalName(r, proposal)}</bdi>
              </Link>
              <Below>
                <bdi>{r.by(authorName(t, proposal.author, subject), formatAgo(proposal.createdAt))}</bdi>
              </Below>
            </>
          ),
        },
        { name: r.state, cell: (proposal) => <ProposalBadge proposal={proposal} /> },
        {
          name: r.approvals,
          cell: ({ approvals, requiredApprovals, state }) =>
            state === 'open' && requiredApprovals > 0
              ? r.approvalsOf(approvals.length, requiredApprovals)
              : approvals.length || null,
        },
        { name: r.when, cell: (proposal) => hasTimes(proposal) && <ComingTimes proposal={proposal} /> },
      ]}
    />
  );
}

/** Whether something is still to come; otherwise the cell is empty. */
const hasTimes = ({ state, applyAt, revertAt, revertedAt }: ProposalItem): true | null =>
  (state === 'open' && (applyAt ?? revertAt) !== null) || (state === 'applied' && revertAt !== null && revertedAt === null)
    ? true
    : null;
