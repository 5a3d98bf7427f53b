/** What pages read of players. */
import type { CallResult } from '@holdfast/contract/call';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';
import { type ProjectKey, pieceByPiece, queryClient } from './queries.ts';
import { keyOf } from './query-key.ts';
import { readUserState, readUserStateVersion, type UserStateKey } from './state.ts';

export type Player = CallResult<'readPlayer'>;
export type PlayerSort = 'key' | 'last_sign_in' | 'last_save';

export interface PlayerKey extends ProjectKey {
  readonly endUserId: string;
}

/** More are shown piece by piece; a list that is sorted by time has only so many. */
export const playersPageMax = 100;

/** What begins with `text`. The first page says how many there are, and how they are sorted. */
export const playersQuery = (project: ProjectKey, text: string, sort: PlayerSort) =>
  infiniteQueryOptions({
    ...pieceByPiece,
    queryKey: keyOf('listPlayers', project, text, sort),
    queryFn: ({ pageParam: cursor, signal }) => {
      const first = sort === 'key' ? { count: true } : { sort };
      const page = cursor === null ? first : { cursor };
      return call('listPlayers', { params: project, query: { query: text, limit: playersPageMax, ...page }, signal });
    },
    placeholderData: keepPreviousData,
  });

/** How many players a project has, as far as they are counted. */
export const playerCountQuery = (project: ProjectKey) =>
  queryOptions({
    queryKey: keyOf('listPlayers', project, 'count'),
    staleTime: 60_000,
    queryFn: async () => (await call('listPlayers', { params: project, query: { limit: 1, count: true } })).matches ?? null,
  });

export const playerQuery = (key: PlayerKey) =>
  queryOptions({
    queryKey: keyOf('readPlayer', key),
    queryFn: ({ signal }) => call('readPlayer', { params: key, signal }),
  });

export const userStateQuery = (key: UserStateKey) =>
  queryOptions({
    queryKey: keyOf('readPlayerState', key),
    queryFn: ({ signal }) => readUserState(key, signal),
  });

/** The user state when something begins with it. It is not read again, however long that takes. */
export const openingUserStateQuery = (use: 'restoring' | 'writing', key: UserStateKey) =>
  queryOptions({
    queryKey: [use, ...keyOf('readPlayerState', key)],
    queryFn: async () => ({ record: await readUserState(key) }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

export const userStateHistoryQuery = (key: UserStateKey) =>
  infiniteQueryOptions({
    ...pieceByPiece,
    queryKey: keyOf('listPlayerStateHistory', key),
    queryFn: ({ pageParam, signal }) =>
      call('listPlayerStateHistory', { params: key, query: { cursor: pageParam }, signal }),
  });

/** One version of a user state; 0 is what was before the first, and not read. */
export const userStateVersionQuery = (key: UserStateKey, version: number) =>
  queryOptions({
    queryKey: keyOf('readPlayerStateVersion', { ...key, version }),
    queryFn: ({ signal }) => readUserStateVersion(key, version, signal),
    enabled: version > 0,
    placeholderData: keepPreviousData,
  });

/** Reads again what shows players, once one is changed. */
export const forgetPlayers = (project: ProjectKey): Promise<unknown> =>
  Promise.all(
    (['listPlayers', 'readPlayer', 'readPlayerState', 'listPlayerStateHistory'] as const).map((id) =>
      queryClient.invalidateQueries({ queryKey: keyOf(id, project) }),
    ),
  );
