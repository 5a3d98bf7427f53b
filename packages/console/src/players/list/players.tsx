/** The players of a project: their number, a search by words, and links to their pages. */
import type { Environment } from '@holdfast/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { Search, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { may, useAuthority } from '../../api/authority.ts';
import { type Player, type PlayerSearch, type PlayerSort, playersQuery } from '../../api/players.ts';
import { isMissing, NotFound } from '../../page/not-found.tsx';
import { useStateKey } from '../../page/route-params.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { Button, EmptyState, Skeleton } from '../../ui/controls.tsx';
import { useDebounced } from '../../ui/debounced.ts';
import { Fault } from '../../ui/fault.tsx';
import { Choice, FoldedFilters, More, SearchField } from '../../ui/filters.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { lastSave } from '../player-name.tsx';
import { PlayerTable } from './player-table.tsx';
import { PlayersShown } from './players-shown.tsx';

const [usePlayerTexts] = textsOf('players');

const withins = ['project', 'account'] as const;
const sorts = ['last_save', 'last_sign_in', 'key'] as const satisfies readonly PlayerSort[];

export function PlayersPage() {
  const t = useTexts();
  const p = usePlayerTexts();
  const { accountId, slug } = useStateKey();
  const own = useAuthority();
  const { asked, typed, setTyped, search, openPlayer } = useAsked();
  const { query: text = '', in: within = 'project' } = asked;
  const [sort, setSort] = useState<PlayerSort>('last_save');
  const players = useInfiniteQuery(playersQuery({ accountId, slug }, asked, sort));
  const { hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = players;
  const rows = players.data?.pages.flatMap(({ items }) => items) ?? [];
  const isIdOnly = own !== undefined && !may(own, 'read_players');
  const isNobody = players.data !== undefined && rows.length === 0 && !hasNextPage;
  // A page may be empty although more follow.
  useEffect(() => {
    if (rows.length === 0 && hasNextPage && !isFetching) void fetchNextPage();
  }, [rows.length, hasNextPage, isFetching, fetchNextPage]);
  const isAnswered = text === typed.trim() && !isFetching && !isPlaceholderData;
  const openOnceAnswered = useOpening(typed, isAnswered, rows, openPlayer);
  if (isMissing(players.error)) return <NotFound />;
  return (
    <div className="page">
      <PageHeader title={t.players.title} lead={p.leads[within]} />
      {!(isNobody && text === '') && (
        <FoldedFilters
          count={within === 'account' ? 1 : 0}
          search={
            <SearchField
              label={p.find}
              hint={isIdOnly ? p.findIdHint : p.findHint}
              maxLength={512}
              isFirst
              value={typed}
              onChange={setTyped}
              onSubmit={openOnceAnswered}
            />
          }
          shown={<PlayersShown matches={players.data?.pages[0]?.matches} shown={rows.length} sort={sort} />}
        >
          <Choices
            within={within}
            onWithin={(next) => search({ ...asked, in: next === 'account' ? next : undefined })}
            sort={sort}
            onSort={setSort}
          />
        </FoldedFilters>
      )}
      <Fault error={players.error} onRetry={() => void players.refetch()} />
      {players.isPending && <Skeleton rows={8} />}
      {isNobody && (
        <EmptyState
          icon={text === '' ? <Users /> : <Search />}
          title={text === '' ? p.empty : p.noMatch(text)}
          action={text === '' && <Nobody {...{ slug, within }} onAccount={() => search({ ...asked, in: 'account' })} />}
        >
          {text === '' ? p.emptyText : isIdOnly ? p.noMatchIdText : p.noMatchText}
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

interface ChoicesProps {
  readonly within: (typeof withins)[number];
  readonly onWithin: (within: (typeof withins)[number]) => void;
  readonly sort: PlayerSort;
  readonly onSort: (sort: PlayerSort) => void;
}

/** The choice of players and their order. */
function Choices({ within, onWithin, sort, onSort }: ChoicesProps) {
  const p = usePlayerTexts();
  return (
    <>
      <Choice
        label={p.within}
        value={within}
        onChange={onWithin}
        options={withins.map((one) => ({ value: one, label: p.withins[one] }))}
      />
      <Choice
        label={p.sort}
        isLabelShown
        value={sort}
        onChange={onSort}
        options={sorts.map((one) => ({ value: one, label: p.sorts[one] }))}
      />
    </>
  );
}

/** What can be done where there are no players. */
function Nobody(props: { slug: string; within: (typeof withins)[number]; onAccount: () => void }) {
  const { slug, within, onAccount } = props;
  const p = usePlayerTexts();
  return (
    <div className="empty-actions">
      <Link className="button primary" to="/p/$slug/connect" params={{ slug }}>
        {p.connect}
      </Link>
      {within === 'project' && (
        <Button kind="quiet" onClick={onAccount}>
          {p.searchAccount}
        </Button>
      )}
    </div>
  );
}

/** Opens the page of a player, with the save of an environment. */
type OpenPlayer = (playerId: string, env?: Environment) => void;

/**
 * Returns what Enter does: once the search for what is typed has an answer, it opens the only player found, otherwise the one with that ID.
 * Further typing calls it off.
 */
function useOpening(typed: string, isAnswered: boolean, rows: readonly Player[], openPlayer: OpenPlayer): () => void {
  const [wanted, setWanted] = useState<string>();
  const isDue = wanted === typed && isAnswered;
  const [only, ...others] = rows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each press of Enter
  useEffect(() => {
    if (!isDue) return;
    setWanted(undefined);
    if (only === undefined || others.length > 0) openPlayer(typed.trim());
    else openPlayer(only.userId, lastSave(only)?.environment);
  }, [isDue]);
  return () => setWanted(typed);
}

/** The search in the address, and what is typed, which follows a moment later. */
function useAsked() {
  const { slug, env } = useStateKey();
  const navigate = useNavigate();
  const asked: PlayerSearch = useSearch({ from: '/shell/p/$slug/$env/players' });
  const [typed, setTyped] = useState(asked.query ?? '');
  const search = (next: PlayerSearch) =>
    void navigate({ to: '/p/$slug/$env/players', params: { slug, env }, search: next, replace: true });
  const paused = useDebounced(typed.trim(), true);
  const { history } = useRouter();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    // A page on its way here is chosen already; a search would bring this one back.
    const isHere = history.location.pathname.endsWith(`/p/${slug}/${env}/players`);
    if (isHere && paused !== (asked.query ?? '')) search({ ...asked, query: paused });
  }, [paused]);
  return {
    asked,
    typed,
    setTyped,
    search,
    openPlayer: ((playerId, saveEnv = env) => {
      const params = { slug, env: saveEnv, playerId };
      if (playerId !== '') void navigate({ to: '/p/$slug/$env/players/$playerId', params });
    }) satisfies OpenPlayer,
  };
}
