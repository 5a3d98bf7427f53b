/** The title of a dialog about a save: what happens, whose save it is, and in which environment. */
import { useQuery } from '@tanstack/react-query';
import { playerQuery } from '../api/players.ts';
import type { UserStateKey } from '../api/state.ts';
import { plain } from '../ui/plain-text.ts';
import { TitleIn } from '../ui/title-in.tsx';
import { playerName } from './player-table.tsx';
import './save-title.css';

interface SaveTitleProps {
  readonly saveKey: UserStateKey;
  /** Takes the player's name, or stands before it. */
  readonly title: string | ((name: string) => string);
}

/** Stands for the name in a sentence. */
const gap = '\u0000';

export function SaveTitle({ saveKey: { env, endUserId, accountId, slug }, title }: SaveTitleProps) {
  const { data: player } = useQuery({ ...playerQuery({ accountId, slug, endUserId }), enabled: false });
  const name = player === undefined ? endUserId : playerName(player);
  return (
    <TitleIn env={env}>
      <PlayerTitle
        name={name}
        isId={name === endUserId}
        title={typeof title === 'string' ? (one) => `${title} · ${one}` : title}
      />
    </TitleIn>
  );
}

interface PlayerTitleProps {
  readonly name: string;
  /** Whether the player is named by the ID. */
  readonly isId: boolean;
  readonly title: (name: string) => string;
}

/** A title that names a player; an ID looks like one. */
export function PlayerTitle({ name, isId, title }: PlayerTitleProps) {
  const [before, after] = title(gap).split(gap);
  return (
    <>
      {before}
      <bdi className={isId ? 'save-player mono' : 'save-player'} title={plain(name)}>
        {plain(name)}
      </bdi>
      {after}
    </>
  );
}
