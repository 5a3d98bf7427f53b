/** Reads players. */
import type { CallResult } from '@holdfast/contract/call';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';
import { cursorPaging, type ProjectKey, queryClient } from './queries.ts';
import { keyOf } from './query-key.ts';
import { readUserState, readUserStateVersion, type UserStateKey } from './state.ts';

export type Player = CallResult<'readPlayer'>;
export type PlayerSort = 'key' | 'last_sign_in' | 'last_save';

/** The search of the list of players. */
export interface PlayerSearch {
  readonly query?: string;
  /** Whether those who only signed in to another project of the account are listed too; the project by default. */
  readonly in?: 'account' | 'project' | undefined;
}

export interface PlayerKey extends ProjectKey {
  readonly endUserId: string;
}

/** Further ones are shown page by page. A list sorted by time is limited. */
const playersPageMax = 100;

/** Players of a project or its account, found by a text. The first page has their number and the sort order. */
export const playersQuery = (project: ProjectKey, { query = '', in: within = 'project' }: PlayerSearch, sort: PlayerSort) =>
  infiniteQueryOptions({
    ...cursorPaging,
    queryKey: keyOf('listPlayers', project, query, within, sort),
    queryFn: ({ pageParam: cursor, signal }) => {
      const first = sort === 'key' ? { count: true } : { sort };
      const page = cursor === null ? first : { cursor };
      const asked = { query, in: within, limit: playersPageMax, ...page };
      return call('listPlayers', { params: project, query: asked, signal });
    },
    placeholderData: keepPreviousData,
  });

/** The number of players of a project, as far as counted. */
export const playerCountQuery = (project: ProjectKey) =>
  queryOptions({
    queryKey: keyOf('listPlayers', project, 'count'),
    staleTime: 60_000,
    queryFn: async () =>
      (await call('listPlayers', { params: project, query: { limit: 1, count: true, in: 'project' } })).matches ?? null,
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

/** The user state when an edit begins. It is not read again, however long that takes. */
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
    ...cursorPaging,
    queryKey: keyOf('listPlayerStateHistory', key),
    queryFn: ({ pageParam, signal }) =>
      call('listPlayerStateHistory', { params: key, query: { cursor: pageParam }, signal }),
  });

/** One version of a user state; 0 means before the first, and is not read. */
export const userStateVersionQuery = (key: UserStateKey, version: number) =>
  queryOptions({
    queryKey: keyOf('readPlayerStateVersion', { ...key, version }),
    queryFn: ({ signal }) => readUserStateVersion(key, version, signal),
    enabled: version > 0,
    placeholderData: keepPreviousData,
  });

/** Reads player data again after a change. */
export const forgetPlayers = (project: ProjectKey): Promise<unknown> =>
  Promise.all(
    (['listPlayers', 'readPlayer', 'readPlayerState', 'listPlayerStateHistory'] as const).map((id) =>
      queryClient.invalidateQueries({ queryKey: keyOf(id, project) }),
    ),
  );
