/** Players in rows, each with the way to its page. */
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { Player } from '../api/players.ts';
import { useStateKey } from '../shell/place.ts';
import { formatAgo, formatBytes, formatTime } from '../texts/index.ts';
import { usePlayerTexts } from '../texts/players.ts';
import { Plain } from '../ui/plain.tsx';

/** What a player is called: by name, address or id, as far as that is known here. */
export const playerName = ({ name, email, userId }: Player): string => name || email || userId;

export function PlayerTable({ rows }: { rows: readonly Player[] }) {
  const p = usePlayerTexts();
  return (
    <div className="table-frame">
      <table className="players">
        <thead>
          <tr>
            <th scope="col">{p.id}</th>
            <th scope="col">{p.methods}</th>
            <th scope="col">{p.lastSignIn}</th>
            <th scope="col">{p.lastSave}</th>
            <th scope="col" className="number">
              {p.saves}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((player) => (
            <PlayerRow key={player.userId} player={player} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PlayerRow({ player }: { player: Player }) {
  const p = usePlayerTexts();
  const { slug, env } = useStateKey();
  const { userId, email, providers, lastSignInAt, states } = player;
  const called = playerName(player);
  const under = [...new Set([email, userId])].filter((one): one is string => Boolean(one) && one !== called);
  const saved = states.map(({ updatedAt }) => updatedAt).sort();
  const bytes = states.reduce((sum, { stateSizeBytes }) => sum + stateSizeBytes, 0);
  return (
    <tr>
      <th scope="row">
        <Link to="/p/$slug/$env/players/$playerId" params={{ slug, env, playerId: userId }}>
          <Plain>{called}</Plain>
        </Link>
        <PlayerMarks player={player} />
        {under.map((text) => (
          <small className="hint" key={text}>
            <Plain>{text}</Plain>
          </small>
        ))}
      </th>
      <td>{providers.join(', ') || <Unknown />}</td>
      <td data-label={p.lastSignIn}>
        <Ago time={lastSignInAt} />
      </td>
      <td data-label={p.lastSave}>
        <Ago time={saved.at(-1) ?? null} />
      </td>
      <td className="number" data-label={p.saves}>
        {states.length === 0 ? <Unknown /> : `${states.length} · ${formatBytes(bytes)}`}
      </td>
      <td className="row-arrow">
        <ChevronRight aria-hidden="true" />
      </td>
    </tr>
  );
}

/** Whether a player is a guest, and kept out. */
export function PlayerMarks({ player: { guest, blocked } }: { player: Player }) {
  const p = usePlayerTexts();
  return (
    <>
      {guest && <span className="badge">{p.guest}</span>}
      {blocked && <span className="badge bad">{p.blocked}</span>}
    </>
  );
}

/** Stands where there is nothing to say; a narrow window leaves it out. */
const Unknown = () => <span className="unknown">–</span>;

const Ago = ({ time }: { time: string | null }) =>
  time === null ? (
    <Unknown />
  ) : (
    <time dateTime={time} title={formatTime(time)}>
      {formatAgo(time)}
    </time>
  );
