/** The players of a project: their number, a search by prefix, and links to their pages. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type PlayerSort, playersQuery } from '../api/players.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useStateKey } from '../shell/route-params.ts';
import { useTexts } from '../texts/index.ts';
import { usePlayerTexts } from '../texts/players.ts';
import { Button, EmptyState, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Choice, Filters, More, SearchField } from '../ui/filters.tsx';
import { PlayerTable } from './player-table.tsx';
import { PlayersShown } from './players-shown.tsx';

/** Keys pressed faster than this are one search. */
const pauseMs = 250;
const sorts = ['last_save', 'last_sign_in', 'key'] as const satisfies readonly PlayerSort[];

export function PlayersPage() {
  const t = useTexts();
  const p = usePlayerTexts();
  const key = useStateKey();
  const { accountId, slug, env } = key;
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [sort, setSort] = useState<PlayerSort>('last_save');
  const text = usePaused(typed.trim());
  const players = useInfiniteQuery(playersQuery({ accountId, slug }, text, sort));
  const { hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = players;
  const rows = players.data?.pages.flatMap(({ items }) => items) ?? [];
  const isNobody = players.data !== undefined && rows.length === 0 && !hasNextPage;
  // A page may be empty although more follow.
  useEffect(() => {
    if (rows.length === 0 && hasNextPage && !isFetching) void fetchNextPage();
  }, [rows.length, hasNextPage, isFetching, fetchNextPage]);
  const open = () => {
    const only = rows.length === 1 && text === typed.trim() && !isPlaceholderData ? rows[0]?.userId : undefined;
    const playerId = only ?? typed.trim();
    if (playerId !== '') void navigate({ to: '/p/$slug/$env/players/$playerId', params: { slug, env, playerId } });
  };
  if (isMissing(players.error)) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={t.players.title} lead={p.lead} />
      {!(isNobody && text === '') && (
        <Filters>
          <SearchField label={p.find} hint={p.findHint} maxLength={512} value={typed} onChange={setTyped} onSubmit={open} />
          <Choice
            label={p.sort}
            isLabelShown
            value={sort}
            onChange={setSort}
            options={sorts.map((one) => ({ value: one, label: p.sorts[one] }))}
          />
          <PlayersShown matches={players.data?.pages[0]?.matches} shown={rows.length} sort={sort} />
        </Filters>
      )}
      <Fault error={players.error} onRetry={() => void players.refetch()} />
      {players.isPending && <Skeleton rows={8} />}
      {isNobody && (
        <EmptyState icon={text === '' ? <Users /> : <Search />} title={text === '' ? p.empty : p.noMatch(text)}>
          {text === '' ? p.emptyText : p.noMatchText}
        </EmptyState>
      )}
      {rows.length > 0 && <PlayerTable label={t.players.title} rows={rows} />}
      {hasNextPage && (
        <More>
          <Button isBusy={players.isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.common.more}
          </Button>
        </More>
      )}
    </div>
  );
}

/** Returns the text once it has stayed the same for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
