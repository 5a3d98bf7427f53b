/** The players of a project: found by the beginning of id, email or name, and the way to one of them. */
import { isEndUserId } from '@holdfast/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronRight, Search, Users } from 'lucide-react';
import { type FormEvent, useDeferredValue, useState } from 'react';
import { type Player, type PlayerOrder, playersQuery } from '../api/players.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useStateKey } from '../shell/place.ts';
import { formatAgo, formatTime, useTexts } from '../texts/index.ts';
import { Button, EmptyState, EnvironmentName, Notice, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Plain } from '../ui/plain.tsx';
import { useSupportWords } from './support-words.ts';

const orders: readonly PlayerOrder[] = ['last_sign_in', 'last_save', 'key'];

export function PlayersPage() {
  const t = useTexts();
  const words = useSupportWords();
  const { accountId, slug, env } = useStateKey();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [order, setOrder] = useState<PlayerOrder>('last_sign_in');
  const wanted = useDeferredValue(text.trim());
  const players = useInfiniteQuery(playersQuery({ accountId, slug }, wanted, order));
  const rows = players.data?.pages.flatMap(({ items }) => items) ?? [];
  const matches = players.data?.pages[0]?.matches;
  const open = (playerId: string) =>
    void navigate({ to: '/p/$slug/$env/players/$playerId', params: { slug, env, playerId } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const only = rows.length === 1 ? rows[0]?.userId : undefined;
    if (only !== undefined) open(only);
    else if (isEndUserId(text.trim())) open(text.trim());
  };
  if (isMissing(players.error)) return <NotFound />;
  return (
    <div className="page">
      <PageHeader
        title={t.players.title}
        lead={matches && (matches.isExact ? words.count(matches.count) : words.countMore)}
      >
        <search>
          <form className="search-field" onSubmit={submit}>
            <Search aria-hidden="true" />
            <input
              type="search"
              aria-label={t.players.find}
              placeholder={words.search}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </form>
        </search>
        <select aria-label={words.sort} value={order} onChange={({ target }) => setOrder(orderOf(target.value))}>
          {orders.map((one) => (
            <option key={one} value={one}>
              {words.sorts[one]}
            </option>
          ))}
        </select>
      </PageHeader>
      <Fault error={players.error} onRetry={() => void players.refetch()} />
      {players.isPending && <Skeleton rows={8} />}
      {order !== 'key' && matches?.isExact === false && <Notice>{words.tooMany}</Notice>}
      {rows.length > 0 && <PlayerTable rows={rows} />}
      {players.data !== undefined && rows.length === 0 && !players.hasNextPage && <Nobody text={wanted} />}
      {players.hasNextPage && (
        <div className="more">
          <Button isBusy={players.isFetchingNextPage} onClick={() => void players.fetchNextPage()}>
            {t.common.more}
          </Button>
        </div>
      )}
    </div>
  );
}

const orderOf = (text: string): PlayerOrder => orders.find((one) => one === text) ?? 'key';

function Nobody({ text }: { text: string }) {
  const t = useTexts();
  const words = useSupportWords();
  return text === '' ? (
    <EmptyState icon={<Users />} title={t.players.empty}>
      {t.players.emptyText}
    </EmptyState>
  ) : (
    <EmptyState icon={<Search />} title={words.none}>
      <Plain>{words.noneText(text)}</Plain>
    </EmptyState>
  );
}

function PlayerTable({ rows }: { rows: readonly Player[] }) {
  const t = useTexts();
  const words = useSupportWords();
  return (
    <div className="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.players.id}</th>
            <th scope="col">{t.players.email}</th>
            <th scope="col">{words.lastSignIn}</th>
            <th scope="col">{words.lastSave}</th>
            <th scope="col">{words.saves}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PlayerLine key={row.userId} player={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PlayerLine({ player }: { player: Player }) {
  const words = useSupportWords();
  const { slug, env } = useStateKey();
  const { userId, name, email, guest, blocked, lastSignInAt, states } = player;
  const [lastSave] = states.map(({ updatedAt }) => updatedAt).toSorted((a, b) => (a < b ? 1 : -1));
  return (
    <tr>
      <th scope="row">
        <Link to="/p/$slug/$env/players/$playerId" params={{ slug, env, playerId: userId }}>
          <Plain>{name ?? userId}</Plain>
        </Link>
        {name && (
          <small>
            <Plain>{userId}</Plain>
          </small>
        )}
        {guest && <span className="badge">{words.guest}</span>}
        {blocked && <span className="badge bad">{words.blocked}</span>}
      </th>
      <td className="email-cell">
        <Plain>{email ?? '–'}</Plain>
      </td>
      <td>
        <When time={lastSignInAt} />
      </td>
      <td>
        <When time={lastSave ?? null} />
      </td>
      <td>
        {states.map(({ environment }) => (
          <EnvironmentName key={environment} env={environment} />
        ))}
      </td>
      <td className="row-arrow">
        <ChevronRight aria-hidden="true" />
      </td>
    </tr>
  );
}

function When({ time }: { time: string | null }) {
  const words = useSupportWords();
  if (time === null) return words.never;
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatAgo(time)}
    </time>
  );
}
