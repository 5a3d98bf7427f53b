/** One player: who it is, the saves in every environment, and what support does for one. */
import { type Environment, environments } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, UserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Player, playerQuery, playerStateQuery } from '../api/players.ts';
import type { PlayerState } from '../api/state.ts';
import { useStateKey } from '../shell/place.ts';
import { formatTime, useTexts } from '../texts/index.ts';
import { EmptyState, EnvironmentName, Notice, PageHeader, Segments, Skeleton } from '../ui/controls.tsx';
import { Fact, Facts, IdFact, TextFact } from '../ui/facts.tsx';
import { Fault } from '../ui/fault.tsx';
import { Json } from '../ui/json.tsx';
import { Plain } from '../ui/plain.tsx';
import { PlayerActions } from './player-actions.tsx';
import { useSupportWords } from './support-words.ts';

type States = readonly (readonly [Environment, PlayerState | null])[];

export function PlayerPage() {
  const t = useTexts();
  const words = useSupportWords();
  const { accountId, slug, env } = useStateKey();
  const { playerId } = useParams({ from: '/shell/p/$slug/$env/players/$playerId' });
  const player = useQuery(playerQuery({ accountId, slug }, playerId));
  const results = useQueries({
    queries: environments.map((name) => playerStateQuery({ accountId, slug, env: name }, playerId)),
  });
  const error = results.find((result) => result.error)?.error;
  const isLoaded = results.every(({ data }) => data !== undefined);
  const states: States = environments.map((name, index) => [name, results[index]?.data ?? null]);
  const isNobody = player.error instanceof ApiError && player.error.status === 404;
  return (
    <div className="page">
      <Link to="/p/$slug/$env/players" params={{ slug, env }} className="back-link">
        <ArrowLeft aria-hidden="true" />
        {t.players.back}
      </Link>
      {isNobody ? (
        <EmptyState isPage icon={<UserRound />} title={words.none}>
          <Plain>{words.noneId(playerId)}</Plain>
        </EmptyState>
      ) : (
        <>
          <PageHeader title={player.data?.name ?? playerId} lead={player.data?.email && <Plain>{player.data.email}</Plain>}>
            {player.data && <PlayerActions player={player.data} />}
          </PageHeader>
          {player.data?.blocked && <BlockNotice blocked={player.data.blocked} />}
          <Fault error={player.error ?? error} onRetry={() => void player.refetch()} />
          <div className="player">
            <StateCard states={states} first={env}>
              {isLoaded ? undefined : error ? null : <Skeleton rows={6} />}
            </StateCard>
            <IdentityCard playerId={playerId} player={player.data} />
          </div>
        </>
      )}
    </div>
  );
}

function BlockNotice({ blocked: { reason, until, blockedAt } }: { blocked: NonNullable<Player['blocked']> }) {
  const words = useSupportWords();
  const title = until === null ? words.blocked : words.blockedUntil(formatTime(until));
  return (
    <Notice kind="warn" title={`${title}, ${words.blockedSince(formatTime(blockedAt))}`}>
      <Plain>{reason ?? words.noReason}</Plain>
    </Notice>
  );
}

/** The state in one environment at a time, or what is given in its place. */
function StateCard({ states, first, children }: { states: States; first: Environment; children: ReactNode }) {
  const t = useTexts();
  const [shown, setShown] = useState(first);
  const state = states.find(([name]) => name === shown)?.[1];
  const content = state ? <Json value={state.state} /> : <p className="hint nothing">{t.players.noState}</p>;
  return (
    <section className="card player-state" aria-label={t.players.state}>
      <div className="card-bar">
        <Segments
          label={t.nav.environment}
          value={shown}
          onChange={setShown}
          options={states.map(([name, one]) => ({
            value: name,
            label: (
              <span data-empty={one === null || undefined}>
                <EnvironmentName env={name} />
              </span>
            ),
          }))}
        />
        {state && <span className="badge">{t.common.version(state.version)}</span>}
      </div>
      {children === undefined ? content : children}
    </section>
  );
}

/** Who it is, as far as sign-ins tell. */
function IdentityCard({ playerId, player }: { playerId: string; player: Player | undefined }) {
  const t = useTexts();
  const words = useSupportWords();
  return (
    <section className="card" aria-label={t.players.identity}>
      <h2>{t.players.identity}</h2>
      <Facts>
        <IdFact name={t.players.id} id={playerId} />
        {player && (
          <>
            {player.email !== undefined && <TextFact name={t.players.email} text={player.email ?? t.common.none} />}
            <Fact name={t.players.methods}>
              {player.guest ? words.guest : player.providers.join(', ') || t.common.none}
            </Fact>
            <Fact name={t.players.since}>{player.createdAt === null ? t.common.none : formatTime(player.createdAt)}</Fact>
            <Fact name={words.lastSignIn}>
              {player.lastSignInAt === null ? words.never : formatTime(player.lastSignInAt)}
            </Fact>
          </>
        )}
      </Facts>
    </section>
  );
}
