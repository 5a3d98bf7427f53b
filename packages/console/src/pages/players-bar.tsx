/** Above the list of players: how many there are, and how they are sorted. */
import type { CallResult } from '@holdfast/contract/call';
import type { PlayerSort } from '../api/players.ts';
import { formatNumber } from '../texts/index.ts';
import { usePlayerTexts } from '../texts/players.ts';

interface PlayersBarProps {
  readonly matches: CallResult<'listPlayers'>['matches'];
  /** How many rows there are below. */
  readonly shown: number;
  readonly sort: PlayerSort;
  readonly onSort: (sort: PlayerSort) => void;
}

const sorts = ['last_save', 'last_sign_in', 'key'] as const satisfies readonly PlayerSort[];

export function PlayersBar({ matches, shown, sort, onSort }: PlayersBarProps) {
  const p = usePlayerTexts();
  const isUnsorted = matches !== undefined && matches.sort !== sort;
  const isCut = matches !== undefined && matches.sort !== 'key' && matches.count > shown;
  return (
    <div className="players-bar">
      <p role="status">
        {matches && <b>{p.count(`${formatNumber(matches.count)}${matches.isExact ? '' : '+'}`)}</b>}
        {isUnsorted && <span className="hint"> {p.unsorted}</span>}
        {isCut && <span className="hint"> {p.cut(shown)}</span>}
      </p>
      <label>
        {p.sort}
        <select value={sort} onChange={({ target }) => onSort(sorts.find((one) => one === target.value) ?? 'key')}>
          {sorts.map((one) => (
            <option key={one} value={one}>
              {p.sorts[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
