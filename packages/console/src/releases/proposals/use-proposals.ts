/** The proposals of all environments of a project, with their standings. */
import { type Environment, environments } from '@holdfast/contract';
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { byEnvironment } from '../../api/environments.ts';
import { type ListedProposals, type ProposalItem, proposalQuery, proposalsQuery } from '../../api/proposals.ts';
import type { ProjectKey } from '../../api/queries.ts';
import { formatNumber } from '../../texts/index.ts';
import { type Standing, standingOf } from '../../times/standing.ts';
import { useRereading } from './rereading.ts';

export interface ProposalRow {
  readonly env: Environment;
  readonly proposal: ProposalItem;
  readonly standing: Standing;
}

/** Newest first. Those that are open are read, since lists do not say whether they fit. */
export function useProposals({ accountId, slug }: ProjectKey, listed: ListedProposals) {
  const project = { accountId, slug };
  const lists = {
    development: useList({ ...project, env: 'development' }, listed),
    staging: useList({ ...project, env: 'staging' }, listed),
    production: useList({ ...project, env: 'production' }, listed),
  };
  const all = environments.map((env) => lists[env]);
  const items = environments
    .flatMap((env) => lists[env].data?.pages.flatMap((page) => page.items.map((proposal) => ({ env, proposal }))) ?? [])
    .sort((one, other) => Date.parse(other.proposal.createdAt) - Date.parse(one.proposal.createdAt));
  const read = useQueries({
    queries: items.map(({ env, proposal }) => ({
      ...proposalQuery({ ...project, env, proposalId: proposal.id }),
      enabled: proposal.state === 'open',
      refetchInterval: false as const,
    })),
  });
  const rows = items.map((item, index): ProposalRow => {
    const data = read[index]?.data;
    const merged = data?.revision === item.proposal.revision ? data.merged : undefined;
    return { ...item, standing: standingOf(item.proposal, merged) };
  });
  const counts = byEnvironment((env) => countOf(rows.filter((row) => row.env === env).length, lists[env].hasNextPage));
  const isListed = all.every(({ data }) => data !== undefined);
  const isRead = isListed && read.every(({ isLoading }) => !isLoading);
  const name = JSON.stringify([accountId, slug, listed]);
  const [firstRead, setFirstRead] = useState<string>();
  if (isRead && firstRead !== name) setFirstRead(name);
  const unread = all.filter(({ hasNextPage }) => hasNextPage);
  return {
    rows,
    /** Whether all lists and the open proposals in them have been read once. Rows that come later are shown before they are read. */
    isLoaded: isRead || (isListed && firstRead === name),
    error: all.find(({ error }) => error)?.error ?? null,
    retry: () => void Promise.all(all.map(({ refetch }) => refetch())),
    /** How many there are, as text: with a plus if there may be more. */
    countOf: (env: Environment | 'all') => (env === 'all' ? countOf(rows.length, unread.length > 0) : counts[env]),
    /** Reads the next pages; undefined if there are none. */
    more: unread.length === 0 ? undefined : () => void Promise.all(unread.map(({ fetchNextPage }) => fetchNextPage())),
    isReadingMore: all.some(({ isFetchingNextPage }) => isFetchingNextPage),
  };
}

function useList(key: ProjectKey & { readonly env: Environment }, listed: ListedProposals) {
  useRereading(key);
  return useInfiniteQuery(proposalsQuery(key, listed));
}

const countOf = (count: number, isMore: boolean): string => `${formatNumber(count)}${isMore ? '+' : ''}`;
