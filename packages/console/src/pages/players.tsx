/** The players of an environment, newest first, and the way to one of them. */

import { isEndUserId } from '@holdfast/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronRight, Search, Users } from 'lucide-react';
import { type FormEvent, useDeferredValue, useMemo, useState } from 'react';
import { type PlayerRow, playersQuery, usersQuery } from '../api/queries.ts';
import type { StateKey } from '../api/state.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useStateKey } from '../shell/place.ts';
import { formatAgo, formatBytes, formatTime, useTexts } from '../texts/index.ts';
import { Button, EmptyState, EnvironmentName, Notice, PageHeader, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Plain, plain } from '../ui/plain.tsx';

export function PlayersPage() {
  const t = useTexts();
  const key = useStateKey();
  const { slug, env } = key;
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { players, users, emails, rows, found, others, wanted } = usePlayerSearch(key, text);
  const open = (playerId: string) =>
    void navigate({ to: '/p/$slug/$env/players/$playerId', params: { slug, env, playerId } });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const only = found.length === 1 ? found[0]?.endUserId : others.length === 1 ? others[0]?.userId : undefined;
    if (only !== undefined) open(only);
    else if (isEndUserId(text.trim())) open(text.trim());
  };
  if (isMissing(players.error)) return <NotFound />;
  const isEmpty = players.data !== undefined && rows.length === 0 && text === '';
  return (
    <div className="page">
      <PageHeader title={t.players.title} lead={<EnvironmentName env={env} />}>
        <search>
          <form className="search-field" onSubmit={submit}>
            <Search aria-hidden="true" />
            <input
              type="search"
              aria-label={t.players.find}
              placeholder={t.players.findHint}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </form>
        </search>
      </PageHeader>
      <Fault error={players.error} onRetry={() => void players.refetch()} />
      {players.isPending && <Skeleton rows={8} />}
      {isEmpty && (
        <EmptyState icon={<Users />} title={t.players.empty}>
          {t.players.emptyText}
        </EmptyState>
      )}
      {wanted.includes('@') && users.data?.isComplete === false && <Notice>{t.players.searchCut}</Notice>}
      {found.length > 0 && <PlayerTable rows={found} emails={emails} />}
      {others.map(({ userId, email }) => (
        <Button key={userId} className="other-player" onClick={() => open(userId)}>
          <Plain>{email ?? ''}</Plain> · <Plain>{userId}</Plain>
        </Button>
      ))}
      {!isEmpty && players.data !== undefined && found.length === 0 && others.length === 0 && (
        <EmptyState
          icon={<Search />}
          title={t.players.noMatch(text.trim())}
          action={
            isEndUserId(text.trim()) && (
              <Button onClick={() => open(text.trim())}>{plain(t.players.openId(text.trim()))}</Button>
            )
          }
        >
          {null}
        </EmptyState>
      )}
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

/** Who fits a text: players of the environment, and others who have signed in. */
function usePlayerSearch(key: StateKey, text: string) {
  const wanted = useDeferredValue(text.trim().toLocaleLowerCase());
  const players = useInfiniteQuery(playersQuery(key));
  const users = useQuery(usersQuery(key.accountId));
  const emails = useMemo(() => new Map(users.data?.items.map(({ userId, email }) => [userId, email ?? ''])), [users.data]);
  const rows = useMemo(() => players.data?.pages.flatMap(({ items }) => items) ?? [], [players.data]);
  const found = rows.filter(({ endUserId }) =>
    `${endUserId} ${emails.get(endUserId) ?? ''}`.toLocaleLowerCase().includes(wanted),
  );
  /** People who have signed in, and have no state among what is loaded. */
  const others = (users.data?.items ?? []).filter(
    ({ userId, email }) =>
      wanted.includes('@') && email?.toLocaleLowerCase().includes(wanted) && !found.some((row) => row.endUserId === userId),
  );
  return { players, users, emails, rows, found, others, wanted };
}

function PlayerTable({ rows, emails }: { rows: readonly PlayerRow[]; emails: ReadonlyMap<string, string> }) {
  const t = useTexts();
  const { slug, env } = useStateKey();
  const hasEmails = rows.some(({ endUserId }) => emails.get(endUserId));
  return (
    <div className="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.players.id}</th>
            {hasEmails && <th scope="col">{t.players.email}</th>}
            <th scope="col">{t.players.updated}</th>
            <th scope="col" className="number">
              {t.players.version}
            </th>
            <th scope="col" className="number">
              {t.players.size}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ endUserId, version, state, updatedAt }) => (
            <tr key={endUserId}>
              <th scope="row">
                <Link to="/p/$slug/$env/players/$playerId" params={{ slug, env, playerId: endUserId }}>
                  <Plain>{endUserId}</Plain>
                </Link>
              </th>
              {hasEmails && (
                <td className="email-cell">
                  <Plain>{emails.get(endUserId) || '–'}</Plain>
                </td>
              )}
              <td>
                <time dateTime={updatedAt} title={formatTime(updatedAt)}>
                  {formatAgo(updatedAt)}
                </time>
              </td>
              <td className="number version-cell" data-label={t.players.version}>
                {version}
              </td>
              <td className="number">{formatBytes(JSON.stringify(state).length)}</td>
              <td className="row-arrow">
                <ChevronRight aria-hidden="true" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
