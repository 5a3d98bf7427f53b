/** Queries of pages. */
import type { EndUserAuthConfigBody, ProjectBody } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import { infiniteQueryOptions, keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './http.ts';
import { keyOf } from './query-key.ts';
import { readState, readVersion, type StateKey } from './state.ts';
import { beforeQuery } from './version-before.ts';

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

interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

/** Reads a complete list. */
async function readPages<Item>(read: (cursor: string | null) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await read(cursor);
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
}

/** Reads a list that pages show page by page. */
export const cursorPaging = {
  initialPageParam: null,
  getNextPageParam: ({ cursor }: Page<unknown>) => cursor,
} satisfies { initialPageParam: string | null; getNextPageParam: unknown };

export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: keyOf('readAccount', { accountId }),
    queryFn: () => call('readAccount', { params: { accountId } }),
  });

export const usageQuery = (accountId: string) =>
  queryOptions({
    queryKey: keyOf('readUsage', { accountId }),
    queryFn: () => call('readUsage', { params: { accountId } }),
  });

export const figureDays = [7, 30, 90] as const;

/** The scope of request figures; default: 30 days and all projects. */
export interface FigureSearch {
  readonly days?: (typeof figureDays)[number];
  readonly project?: string;
}

export const figuresQuery = (accountId: string, { days = 30, project }: FigureSearch) =>
  queryOptions({
    queryKey: keyOf('readRequestFigures', { accountId }, days, project),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
    queryFn: () =>
      call('readRequestFigures', {
        params: { accountId },
        query: { days, ...(project !== undefined && { projectSlug: project }) },
      }),
  });

/** All projects, since an account has few. */
export const projectsQuery = (accountId: string) =>
  queryOptions({
    queryKey: keyOf('listProjects', { accountId }),
    staleTime: 60_000,
    queryFn: async (): Promise<readonly ProjectBody[]> => {
      const read = (cursor: string | null) => call('listProjects', { params: { accountId }, query: { cursor } });
      return readPages(read);
    },
  });

export const keysQuery = (project: ProjectKey) =>
  queryOptions({
    queryKey: keyOf('listApiKeys', project),
    queryFn: async () => (await call('listApiKeys', { params: project })).items,
  });

export const signInQuery = (project: ProjectKey) =>
  queryOptions({
    queryKey: keyOf('readPlayerAuthConfig', project),
    queryFn: (): Promise<EndUserAuthConfigBody> => call('readPlayerAuthConfig', { params: project }),
  });

export const providersQuery = (accountId: string) =>
  queryOptions({
    queryKey: keyOf('listIdentityProviders', { accountId }),
    queryFn: async () => (await call('listIdentityProviders', { params: { accountId } })).items,
  });

export const stateQuery = (key: StateKey) =>
  queryOptions({
    queryKey: keyOf('readPublicState', key),
    queryFn: ({ signal }) => readState(key, signal),
  });

export const historyQuery = (key: StateKey) =>
  infiniteQueryOptions({
    ...cursorPaging,
    queryKey: keyOf('listPublicStateHistory', key),
    queryFn: ({ pageParam, signal }) =>
      call('listPublicStateHistory', { params: key, query: { cursor: pageParam }, signal }),
  });

/** The metadata of the current version, without its document; null if there is none. A change of `version` reads it again. */
export const headQuery = (key: StateKey, version?: number) =>
  queryOptions({
    queryKey: keyOf('listPublicStateHistory', key, 'head', version),
    queryFn: async () => (await call('listPublicStateHistory', { params: key, query: { limit: 1 } })).items[0] ?? null,
  });

/** Reads an environment's document again. */
export const forgetState = (key: StateKey): Promise<unknown> =>
  Promise.all([queryClient.invalidateQueries(stateQuery(key)), queryClient.invalidateQueries(historyQuery(key))]);

/** The stored document when an edit begins; `use` tells apart what is made of it. It is not read again, neither after a write nor when the window regains focus. */
export const openingQuery = <Data>(use: string, key: StateKey, read: (key: StateKey) => Promise<Data>) =>
  queryOptions({
    queryKey: [use, ...keyOf('readPublicState', key)],
    queryFn: () => read(key),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });

/** One version; 0 means before the first, and is not read. */
export const versionQuery = (key: StateKey, version: number) =>
  queryOptions({
    queryKey: keyOf('readPublicStateVersion', { ...key, version }),
    queryFn: ({ signal }) => readVersion(key, version, signal),
    enabled: version > 0,
    staleTime: Number.POSITIVE_INFINITY, // a version never changes
    placeholderData: keepPreviousData,
  });

/** The number of the version before another one; 0 before the first. For 0, nothing is read. */
export const versionBeforeQuery = (key: StateKey, version: number) =>
  beforeQuery(keyOf('listPublicStateHistory', key), version, {
    read: (one) => queryClient.fetchQuery(versionQuery(key, one)),
    list: (cursor) => call('listPublicStateHistory', { params: key, query: { cursor } }),
  });
