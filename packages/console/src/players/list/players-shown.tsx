/** The number of players, and of those listed. */
import type { CallResult } from '@holdfast/contract/call';
import type { PlayerSort } from '../../api/players.ts';
import { formatNumber, textsOf } from '../../texts/index.ts';
import { Shown } from '../../ui/filters.tsx';

const [usePlayerTexts] = textsOf('players');

interface PlayersShownProps {
  readonly matches: CallResult<'listPlayers'>['matches'];
  /** The number of rows below. */
  readonly shown: number;
  /** The requested sort order. */
  readonly sort: PlayerSort;
}

export function PlayersShown({ matches, shown, sort }: PlayersShownProps) {
  const p = usePlayerTexts();
  const isUnsorted = matches !== undefined && matches.sort !== sort;
  const isCut = matches !== undefined && matches.sort !== 'key' && matches.count > shown;
  return (
    <Shown>
      {matches && <b>{p.count(`${formatNumber(matches.count)}${matches.isExact ? '' : '+'}`)}</b>}
      {isUnsorted && <span className="hint"> {p.unsorted}</span>}
      {isCut && <span className="hint"> {p.cut(shown)}</span>}
    </Shown>
  );
}
