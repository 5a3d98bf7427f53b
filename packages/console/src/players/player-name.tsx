/** What a player is called, in lists, headings and titles. */
import type { Player } from '../api/players.ts';
import { textsOf } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import './player-name.css';

const [usePlayerTexts] = textsOf('players');

/** A player's name: display name, address or id, whichever is known. */
export const playerName = ({ name, email, userId }: Player): string => name || email || userId;

/** What a player saved last in any environment; undefined without a save. */
export const lastSave = ({ states }: Player): Player['states'][number] | undefined =>
  states.toSorted((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1)).at(-1);

/** Whether a player is a guest, and whether blocked. */
export function PlayerMarks({ player: { guest, blocked } }: { player: Player }) {
  const p = usePlayerTexts();
  return (
    <>
      {guest && <span className="badge">{p.guest}</span>}
      {blocked && <span className="badge warn">{p.blocked}</span>}
    </>
  );
}

/** Stands for the name in a sentence. */
const gap = '\u0000';

interface PlayerTitleProps {
  readonly name: string;
  readonly playerId: string;
  readonly title: (name: string) => string;
}

/** A title that names a player; an ID looks like one. */
export function PlayerTitle({ name, playerId, title }: PlayerTitleProps) {
  const [before, after] = title(gap).split(gap);
  return (
    <>
      {before}
      <bdi className={name === playerId ? 'save-player mono' : 'save-player'} title={plain(name)}>
        {plain(name)}
      </bdi>
      {after}
    </>
  );
}
