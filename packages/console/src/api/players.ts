/** What pages read of players. */
import type { CallResult } from '@holdfast/contract/call';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';
import { type ProjectKey, pieceByPiece, queryClient } from './queries.ts';
import { keyOf } from './query-key.ts';
import { readPlayerState, type StateKey } from './state.ts';

export type Player = CallResult<'readPlayer'>;
/** How a list of players is sorted. */
export type PlayerOrder = 'key' | 'last_sign_in' | 'last_save';

/** Players whose id, address or name begins with a text, with how many there are. */
export const playersQuery = (project: ProjectKey, text: string, order: PlayerOrder) =>
  infiniteQueryOptions({
    ...pieceByPiece,
    queryKey: keyOf('listPlayers', project, text, order),
    queryFn: ({ pageParam: cursor }) =>
      call('listPlayers', {
        params: project,
        query: { query: text, cursor, count: 'true', ...(order !== 'key' && { sort: order }) },
      }),
    placeholderData: (before) => before,
  });

export const playerQuery = (project: ProjectKey, endUserId: string) =>
  queryOptions({
    queryKey: keyOf('readPlayer', { ...project, endUserId }),
    queryFn: () => call('readPlayer', { params: { ...project, endUserId } }),
  });

export const playerStateQuery = (key: StateKey, endUserId: string) =>
  queryOptions({
    queryKey: keyOf('readEndUserState', { ...key, endUserId }),
    queryFn: () => readPlayerState(key, endUserId),
  });

/** Reads again what shows players, once one has changed. */
export const forgetPlayers = ({ accountId }: Pick<ProjectKey, 'accountId'>): Promise<unknown> =>
  Promise.all(
    (['listPlayers', 'readPlayer', 'readEndUserState'] as const).map((id) =>
      queryClient.invalidateQueries({ queryKey: keyOf(id, { accountId }) }),
    ),
  );
