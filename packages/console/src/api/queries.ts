/** What pages read, under the keys of its cache: each key is made here, or where its only query is. */
import type { EndUserAuthConfigBody, ProjectBody } from '@holdfast/contract';
import { ApiError, type CallResult } from '@holdfast/contract/call';
import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';
import { readPlayerState, readState, readVersion, type StateKey, type StateRecord } from './state.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
      refetchOnWindowFocus: true,
    },
  },
});

export interface ProjectKey {
  readonly accountId: string;
  readonly slug: string;
}

export type User = CallResult<'listUsers'>['items'][number];
export type PlayerRow = CallResult<'listEndUserStates'>['items'][number];

/** Of lists that a page shows as a whole; users are searched in, up to as many as that allows. */
const pagesMax = 20;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

/** Reads a list from its beginning. */
async function readPages<Item>(read: (cursor: string | null) => Promise<Page<Item>>, max: number) {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < max; pages++) {
    const page: Page<Item> = await read(cursor);
    items.push(...page.items);
    cursor = page.cursor;
    if (cursor === null) break;
  }
  return { items, isComplete: cursor === null };
}

/** How a list is read that pages show piece by piece. */
const pieceByPiece = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ cursor }: Page<unknown>) => cursor,
};

export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['account', accountId],
    queryFn: () => call('readAccount', { params: { accountId } }),
  });

export const usageQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['usage', accountId],
    queryFn: () => call('readUsage', { params: { accountId } }),
  });

/** All projects: an account has few. */
export const projectsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['projects', accountId],
    staleTime: 60_000,
    queryFn: async (): Promise<readonly ProjectBody[]> => {
      const read = (cursor: string | null) => call('listProjects', { params: { accountId }, query: { cursor } });
      return (await readPages(read, Number.POSITIVE_INFINITY)).items;
    },
  });

export const keysQuery = ({ accountId, slug }: ProjectKey) =>
  queryOptions({
    queryKey: ['keys', accountId, slug],
    queryFn: async () => (await call('listApiKeys', { params: { accountId, slug } })).items,
  });

export const signInQuery = ({ accountId, slug }: ProjectKey) =>
  queryOptions({
    queryKey: ['sign-in', accountId, slug],
    queryFn: (): Promise<EndUserAuthConfigBody> => call('readEndUserAuthConfig', { params: { accountId, slug } }),
  });

export const providersQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['providers', accountId],
    queryFn: async () => (await call('listIdentityProviders', { params: { accountId } })).items,
  });

/** What shows the document of an environment, and is read again after a write. */
const documentKey = ({ accountId, slug, env }: StateKey) => ['document', accountId, slug, env];

export const stateQuery = (key: StateKey) =>
  queryOptions({
    queryKey: [...documentKey(key), 'state'],
    queryFn: ({ signal }) => readState(key, signal),
  });

export const historyQuery = (key: StateKey) =>
  infiniteQueryOptions({
    ...pieceByPiece,
    queryKey: [...documentKey(key), 'history'],
    queryFn: ({ pageParam, signal }) =>
      call('listPublicStateHistory', { params: key, query: { cursor: pageParam }, signal }),
  });

/** What is known about the current version, without its document; null while there is none. Another `version` is read again. */
export const headQuery = (key: StateKey, version?: number) =>
  queryOptions({
    queryKey: [...documentKey(key), 'head', version],
    queryFn: async () => (await call('listPublicStateHistory', { params: key, query: { limit: 1 } })).items[0] ?? null,
  });

/** Reads again what shows the document of an environment. */
export const forgetState = (key: StateKey): Promise<void> => queryClient.invalidateQueries({ queryKey: documentKey(key) });

/** One version; 0 is what was before the first, and not read. */
export const versionQuery = (key: StateKey, version: number) =>
  queryOptions({
    queryKey: ['version', key.accountId, key.slug, key.env, version],
    queryFn: () => readVersion(key, version),
    enabled: version > 0,
    staleTime: Number.POSITIVE_INFINITY, // a version never changes
    placeholderData: (before: StateRecord | undefined) => before,
  });

/** What shows players, and is read again when one is deleted. */
const peopleKey = (accountId: string) => ['people', accountId];

export const playersQuery = (key: StateKey) =>
  infiniteQueryOptions({
    ...pieceByPiece,
    queryKey: [...peopleKey(key.accountId), 'players', key.slug, key.env],
    queryFn: ({ pageParam }) => call('listEndUserStates', { params: key, query: { cursor: pageParam } }),
  });

export const playerQuery = (key: StateKey, playerId: string) =>
  queryOptions({
    queryKey: [...peopleKey(key.accountId), 'player', key.slug, key.env, playerId],
    queryFn: () => readPlayerState(key, playerId),
  });

/** Users of the built-in identity provider. */
export const usersQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...peopleKey(accountId), 'users'],
    staleTime: 60_000,
    queryFn: () => readPages((cursor) => call('listUsers', { params: { accountId }, query: { cursor } }), pagesMax),
  });

export const forgetPeople = (accountId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: peopleKey(accountId) });
