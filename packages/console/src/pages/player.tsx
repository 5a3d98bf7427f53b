/** One player: state in every environment, identity, export, and deletion. */
import { type Environment, environments } from '@holdfast/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft, Download, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { call } from '../api/http.ts';
import { forgetPlayers, playerQuery, type User, usersQuery } from '../api/queries.ts';
import type { PlayerState } from '../api/state.ts';
import { isMissing, NotFound } from '../shell/not-found.tsx';
import { useStateKey } from '../shell/place.ts';
import { formatTime, useTexts } from '../texts/index.ts';
import { Button, EnvironmentName, PageHeader, Segments, Skeleton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Fact, Facts, IdFact, TextFact } from '../ui/facts.tsx';
import { Fault } from '../ui/fault.tsx';
import { Json } from '../ui/json.tsx';
import { Plain } from '../ui/plain.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toast } from '../ui/toasts.tsx';

type States = readonly (readonly [Environment, PlayerState | null])[];

export function PlayerPage() {
  const t = useTexts();
  const { accountId, slug, env } = useStateKey();
  const { playerId } = useParams({ from: '/shell/p/$slug/$env/players/$playerId' });
  const results = useQueries({
    queries: environments.map((name) => playerQuery({ accountId, slug, env: name }, playerId)),
  });
  const users = useQuery(usersQuery(accountId));
  const user = users.data?.items.find(({ userId }) => userId === playerId);
  const error = results.find((result) => result.error)?.error;
  const isLoaded = results.every(({ data }) => data !== undefined);
  const states: States = environments.map((name, index) => [name, results[index]?.data ?? null]);
  const [isDeleting, setDeleting] = useState(false);
  const download = () => {
    const all = Object.fromEntries(states.filter(([, one]) => one !== null));
    saveFile(`player-${playerId}.json`, 'application/json', exportText({ slug, playerId, user, states: all }));
    toast(t.players.exported);
  };
  if (isMissing(error)) return <NotFound />;
  return (
    <div className="page">
      <Link to="/p/$slug/$env/players" params={{ slug, env }} className="back-link">
        <ArrowLeft aria-hidden="true" />
        {t.players.back}
      </Link>
      <PageHeader title={playerId} lead={user?.email && <Plain>{user.email}</Plain>}>
        <Button icon={<Download />} disabled={!isLoaded} onClick={download}>
          {t.players.export}
        </Button>
        <Button kind="danger" icon={<Trash2 />} disabled={!isLoaded} onClick={() => setDeleting(true)}>
          {t.players.delete}
        </Button>
      </PageHeader>
      <Fault error={error} onRetry={() => void Promise.all(results.map((result) => result.refetch()))} />
      <div className="player">
        <StateCard states={states} first={env}>
          {isLoaded ? undefined : error ? null : <Skeleton rows={6} />}
        </StateCard>
        <IdentityCard playerId={playerId} user={user} isLoaded={users.data !== undefined} />
      </div>
      <DeletePlayer isOpen={isDeleting} onClose={() => setDeleting(false)} states={states} isUser={user !== undefined} />
    </div>
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

/** Who it is, as far as the built-in identity provider knows. */
function IdentityCard(props: { playerId: string; user: User | undefined; isLoaded: boolean }) {
  const t = useTexts();
  const { playerId, user, isLoaded } = props;
  return (
    <section className="card" aria-label={t.players.identity}>
      <h2>{t.players.identity}</h2>
      <Facts>
        <IdFact name={t.players.id} id={playerId} />
        {user && (
          <>
            <TextFact name={t.players.email} text={user.email ?? t.common.none} />
            <Fact name={t.players.methods}>{user.providers.join(', ') || t.common.none}</Fact>
            <Fact name={t.players.since}>{formatTime(user.createdAt)}</Fact>
          </>
        )}
      </Facts>
      {isLoaded && !user && <p className="hint">{t.players.identityNone}</p>}
    </section>
  );
}

interface DeletePlayerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly states: States;
  readonly isUser: boolean;
}

function DeletePlayer({ isOpen, onClose, states, isUser }: DeletePlayerProps) {
  const t = useTexts();
  const { accountId, slug, env } = useStateKey();
  const { playerId } = useParams({ from: '/shell/p/$slug/$env/players/$playerId' });
  const navigate = useNavigate();
  const [withIdentity, setWithIdentity] = useState(false);
  const names = states.filter(([, state]) => state !== null).map(([name]) => t.environments[name]);
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t.players.deleteTitle}
      text={t.players.deleteText}
      action={t.players.delete}
      onConfirm={async () => {
        await call('deleteEndUserState', { params: { accountId, slug, endUserId: playerId } });
        if (isUser && withIdentity) await call('deleteUser', { params: { accountId, userId: playerId } });
        await forgetPlayers(accountId);
        toast(t.players.deleted);
        await navigate({ to: '/p/$slug/$env/players', params: { slug, env } });
      }}
    >
      <ul className="consequences">
        <li>{names.length === 0 ? t.players.deleteNoStates : t.players.deleteStates(names.join(', '))}</li>
        <li>{t.players.deleteTokens}</li>
      </ul>
      {isUser && (
        <label className="check">
          <input type="checkbox" checked={withIdentity} onChange={(event) => setWithIdentity(event.target.checked)} />
          <span>
            {t.players.deleteIdentity}
            <small>{t.players.deleteIdentityText}</small>
          </span>
        </label>
      )}
    </Confirm>
  );
}

/** Numbers stay digit for digit: the states are values of the exact parser. */
const exportText = (player: {
  slug: string;
  playerId: string;
  user: unknown;
  states: Readonly<Record<string, unknown>>;
}): string =>
  JSON.stringify(
    {
      project: player.slug,
      endUserId: player.playerId,
      exportedAt: new Date().toISOString(),
      identity: player.user ?? null,
      states: player.states,
    },
    null,
    2,
  );
