/** A table of players, with links to their pages. */
import { environments } from '@holdfast/contract';
import { Link } from '@tanstack/react-router';
import type { Player } from '../../api/players.ts';
import { useStateKey } from '../../page/route-params.ts';
import { methodName } from '../../sign-in-settings/method-names.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import { EnvironmentName } from '../../ui/controls.tsx';
import { Address, Plain } from '../../ui/plain.tsx';
import { plain } from '../../ui/plain-text.ts';
import { Ago, Below, On, Table } from '../../ui/table.tsx';
import { lastSave, PlayerMarks, playerName } from '../player-name.tsx';
import './player-table.css';

const [usePlayerTexts] = textsOf('players');

const monthMs = 30 * 86_400_000;
/** Whether a day says more than “last month”. */
const isOld = (at: string): boolean => Date.now() - Date.parse(at) >= monthMs;

export function PlayerTable({ label, rows }: { label: string; rows: readonly Player[] }) {
  const t = useTexts();
  const p = usePlayerTexts();
  const time = (at: string | null | undefined) => (at == null ? null : isOld(at) ? <On time={at} /> : <Ago time={at} />);
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ userId }) => userId}
      isLinked
      columns={[
        { name: p.id, cell: (player) => <PlayerName player={player} /> },
        {
          name: p.methods,
          cell: ({ providers }) => providers.map((id) => methodName(t, id)).join(', ') || null,
        },
        { name: p.lastSignIn, isLeast: 'in blocks', cell: ({ lastSignInAt }) => time(lastSignInAt) },
        { name: p.lastSave, cell: (player) => time(lastSave(player)?.updatedAt) },
        {
          name: p.saves,
          isLeast: true,
          cell: ({ states }) =>
            states.length === 0 ? null : (
              <div className="row-badges">
                {environments
                  .filter((env) => states.some(({ environment }) => environment === env))
                  .map((env) => (
                    <EnvironmentName key={env} env={env} />
                  ))}
              </div>
            ),
        },
      ]}
    />
  );
}

function PlayerName({ player }: { player: Player }) {
  const { slug, env } = useStateKey();
  const { userId, email } = player;
  const params = { slug, env: lastSave(player)?.environment ?? env, playerId: userId };
  const called = playerName(player);
  const under = [...new Set([email, userId])].filter((one): one is string => Boolean(one) && one !== called);
  return (
    <>
      <Link to="/p/$slug/$env/players/$playerId" params={params}>
        {called === userId ? <span className="mono">{plain(called)}</span> : <Plain>{called}</Plain>}
      </Link>
      <PlayerMarks player={player} />
      {under.length > 0 && (
        <Below>
          {under.map((text) => (
            <span key={text} className="player-id">
              {text === userId ? (
                <code>
                  <Plain>{text}</Plain>
                </code>
              ) : (
                <Address>{text}</Address>
              )}
            </span>
          ))}
        </Below>
      )}
    </>
  );
}
