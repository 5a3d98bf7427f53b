/** What pages read, under the keys of its cache. */
import type {
  AccountBody,
  ApiKeyBody,
  EndUserAuthConfigBody,
  HistoryItemBody,
  ProjectBody,
  UsageBody,
  UserListBody,
} from '@holdfast/contract';
import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, addressOf, call } from './http.ts';
import { listPlayers, type Page, readState, type StateKey } from './state.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
      refetchOnWindowFocus: true,
    },
  },
});

export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['account', accountId],
    queryFn: () => call<AccountBody>('GET', addressOf('/v1/{accountId}', { accountId })),
  });

export const usageQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['usage', accountId],
    queryFn: () => call<UsageBody>('GET', addressOf('/v1/{accountId}/usage', { accountId })),
  });

/** All projects: an account has few. */
export const projectsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['projects', accountId],
    staleTime: 60_000,
    queryFn: async () => {
      const all: ProjectBody[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const address = addressOf('/v1/{accountId}/projects', { accountId });
        const page: Page<ProjectBody> = await call('GET', address, { query: { cursor } });
        all.push(...page.items);
        cursor = page.cursor;
      }
      return all;
    },
  });

export interface ProjectKey {
  readonly accountId: string;
  readonly slug: string;
}

export const keysQuery = ({ accountId, slug }: ProjectKey) =>
  queryOptions({
    queryKey: ['keys', accountId, slug],
    queryFn: async () => {
      const address = addressOf('/v1/{accountId}/projects/{slug}/api-keys', { accountId, slug });
      return (await call<{ items: ApiKeyBody[] }>('GET', address)).items;
    },
  });

export const signInQuery = ({ accountId, slug }: ProjectKey) =>
  queryOptions({
    queryKey: ['sign-in', accountId, slug],
    queryFn: () =>
      call<EndUserAuthConfigBody>(
        'GET',
        addressOf('/v1/{accountId}/projects/{slug}/auth/end-user/config', { accountId, slug }),
      ),
  });

export const stateQuery = (key: StateKey) =>
  queryOptions({
    queryKey: ['state', key.accountId, key.slug, key.env],
    queryFn: ({ signal }) => readState(key, signal),
  });

export const historyQuery = ({ accountId, slug, env }: StateKey) =>
  infiniteQueryOptions({
    queryKey: ['history', accountId, slug, env],
    queryFn: ({ pageParam, signal }): Promise<Page<HistoryItemBody>> =>
      call('GET', addressOf('/v1/{accountId}/projects/{slug}/public-state/{env}/history', { accountId, slug, env }), {
        query: { cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor ?? undefined,
  });

export const playersQuery = (key: StateKey) =>
  infiniteQueryOptions({
    queryKey: ['players', key.accountId, key.slug, key.env],
    queryFn: ({ pageParam }) => listPlayers(key, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor ?? undefined,
  });

/** Reads again what shows the document of an environment. */
export async function forgetState({ accountId, slug, env }: StateKey): Promise<void> {
  const names = ['state', 'history', 'head'];
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name, accountId, slug, env] })));
}

export type User = UserListBody['items'][number];

/** Users of the built-in identity provider, up to as many as a page can search in. */
const userPagesMax = 20;
export const usersQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['users', accountId],
    staleTime: 60_000,
    queryFn: async () => {
      const users: User[] = [];
      let cursor: string | null | undefined;
      for (let pages = 0; pages < userPagesMax && cursor !== null; pages++) {
        const address = addressOf('/v1/{accountId}/users', { accountId });
        const page: Page<User> = await call('GET', address, { query: { cursor } });
        users.push(...page.items);
        cursor = page.cursor;
      }
      return { users, isComplete: cursor === null };
    },
  });
