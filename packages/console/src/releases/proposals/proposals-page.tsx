/** The proposals of an environment. */

import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { GitPullRequestArrow } from 'lucide-react';
import { comingTimes } from '../../api/proposal-times.ts';
import { type ListedProposals, type ProposalItem, proposalsQuery } from '../../api/proposals.ts';
import type { StateKey } from '../../api/state.ts';
import { EnvironmentSwitch } from '../../shell/environment-switch.tsx';
import { isMissing, NotFound } from '../../shell/not-found.tsx';
import { useStateKey } from '../../shell/route-params.ts';
import { useSubject } from '../../shell/session.tsx';
import { authorName } from '../../state/authors.ts';
import { formatAgo, textsOf, useTexts } from '../../texts/index.ts';
import { Button, EmptyState, PageHeader } from '../../ui/controls.tsx';
import { Choice, Filters, More } from '../../ui/filters.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Below, type Column, Table } from '../../ui/table.tsx';
import { ComingTimes, ListedBadge, proposalName } from './proposal-state.tsx';
import { useRereading } from './rereading.ts';
import './proposal-page.css';

const [useReleaseTexts] = textsOf('releases');

const states = ['open', 'running', 'applied', 'withdrawn', 'failed', 'all'] as const satisfies ListedProposals[];

export function ProposalsPage() {
  const t = useTexts();
  const r = useReleaseTexts();
  const key = useStateKey();
  const { slug, env } = key;
  const { state = 'open' } = useSearch({ from: '/shell/p/$slug/$env/proposals' });
  const navigate = useNavigate();
  const found = useInfiniteQuery(proposalsQuery(key, state));
  useRereading(key);
  if (isMissing(found.error)) return <NotFound />;
  return (
    <div className="page proposals-page">
      <PageHeader title={t.nav.proposals} lead={r.lead} />
      <Filters>
        <EnvironmentSwitch />
        <Choice
          label={r.show}
          value={state}
          onChange={(next) =>
            void navigate({
              to: '/p/$slug/$env/proposals',
              params: { slug, env },
              search: next === 'open' ? {} : { state: next },
            })
          }
          options={states.map((one) => ({ value: one, label: r.filters[one] }))}
        />
      </Filters>
      <Loaded query={found} rows={5}>
        {({ pages }) => {
          const all = pages.flatMap(({ items }) => items);
          return all.length > 0 ? (
            <Proposals stateKey={key} proposals={byNext(all)} />
          ) : (
            <Nothing stateKey={key} state={state} />
          );
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
  const t = useTexts();
  const r = useReleaseTexts();
  /** Whether the list includes all open proposals. */
  const isOpen = state === 'open' || state === 'all';
  const here = t.environments[env];
  return (
    <EmptyState
      icon={<GitPullRequestArrow />}
      title={state === 'all' ? r.emptyOfAll(here) : r.empty(r.filters[state], here)}
      action={
        isOpen ? (
          <Link className="button" to="/p/$slug/$env/state" params={{ slug, env }}>
            {r.toState}
          </Link>
        ) : (
          <Link className="button" to="/p/$slug/$env/proposals" params={{ slug, env }}>
            {r.showOpen}
          </Link>
        )
      }
    >
      {isOpen ? r.emptyText : r.openInstead}
    </EmptyState>
  );
}

function hasTimes(proposal: ProposalItem): boolean {
  const { apply, revert } = comingTimes(proposal);
  return apply !== null || revert !== null;
}

function Proposals({ stateKey, proposals }: { stateKey: StateKey; proposals: readonly ProposalItem[] }) {
  const t = useTexts();
  const r = useReleaseTexts();
  const subject = useSubject();
  const { slug, env } = stateKey;
  const approvals: Column<ProposalItem> = {
    name: r.approvals,
    isLeast: true,
    cell: (proposal) =>
      proposal.state === 'open' && proposal.requiredApprovals > 0
        ? r.approvalsOf(proposal.approvals.length, proposal.requiredApprovals)
        : proposal.approvals.length || null,
  };
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
        { name: r.state, isPlain: true, cell: (proposal) => <ListedBadge stateKey={stateKey} proposal={proposal} /> },
        ...(proposals.some(isApprovalShown) ? [approvals] : []),
        {
          name: r.next,
          isPlain: true,
          cell: (proposal) => (hasTimes(proposal) ? <ComingTimes proposal={proposal} /> : null),
        },
      ]}
    />
  );
}

const isApprovalShown = ({ state, approvals, requiredApprovals }: ProposalItem): boolean =>
  approvals.length > 0 || (state === 'open' && requiredApprovals > 0);

/** The times that come next first; the rest as it was. */
function byNext(proposals: readonly ProposalItem[]): readonly ProposalItem[] {
  const timeOf = (proposal: ProposalItem) => {
    const { apply, revert } = comingTimes(proposal);
    const next = apply ?? revert;
    return next === null ? Number.POSITIVE_INFINITY : Date.parse(next);
  };
  return proposals.toSorted((one, other) => {
    const [first, second] = [timeOf(one), timeOf(other)];
    return first === second ? 0 : first - second;
  });
}
