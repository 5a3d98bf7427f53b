/** Documents for TanStack Query, in server components too. */
import type { Client } from '../client-types.ts';

/** Options for `useQuery` of TanStack Query. Each refetch reads the document. */
export function queryOptions<
  Name extends 'publicState' | 'userState',
  C extends Pick<Client, 'id' | 'auth'> & Documents<Name>,
>(
  client: C,
  name: Name,
): {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal?: AbortSignal }) => ReturnType<C[Name]['get']>;
} {
  const document: { get(call: { readonly signal?: AbortSignal }): Promise<unknown> } = client[name];
  return {
    queryKey: ['holdfast', client.id, name, name === 'userState' ? (client.auth.user?.id ?? null) : null],
    queryFn: (context) =>
      document.get(context.signal === undefined ? {} : { signal: context.signal }) as ReturnType<C[Name]['get']>,
  };
}

type Documents<Name extends string> = {
  readonly [Each in Name]: { get(call?: { readonly signal?: AbortSignal }): Promise<unknown> };
};
