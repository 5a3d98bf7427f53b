/** Where the login page is, and what identity providers have to be told about it. */
import { queryOptions } from '@tanstack/react-query';
import { baseUrl } from './addresses.ts';
import { call } from './http.ts';
import { keyOf } from './query-key.ts';

/** The address of the login page, which may be at another host than the console. */
export const loginPageQuery = queryOptions({
  queryKey: keyOf('readAuthorizationServer', undefined),
  queryFn: async () => (await call('readAuthorizationServer')).authorization_endpoint,
  staleTime: Number.POSITIVE_INFINITY,
  initialData: `${baseUrl}/authorize`,
  initialDataUpdatedAt: 0,
});
