/** The title of a dialog about a save: what happens, whose save it is, and in which environment. */
import { useQuery } from '@tanstack/react-query';
import { playerQuery } from '../../api/players.ts';
import type { UserStateKey } from '../../api/state.ts';
import { TitleIn } from '../../ui/title-in.tsx';
import { PlayerTitle, playerName } from '../player-name.tsx';

export interface SaveTitleProps {
  readonly saveKey: UserStateKey;
  /** Takes the player's name, or stands before it. */
  readonly title: string | ((name: string) => string);
}

export function SaveTitle({ saveKey: { env, endUserId, accountId, slug }, title }: SaveTitleProps) {
  const { data: player } = useQuery({ ...playerQuery({ accountId, slug, endUserId }), enabled: false });
  return (
    <TitleIn env={env}>
      <PlayerTitle
        name={player === undefined ? endUserId : playerName(player)}
        playerId={endUserId}
        title={typeof title === 'string' ? (name) => `${title} · ${name}` : title}
      />
    </TitleIn>
  );
}
