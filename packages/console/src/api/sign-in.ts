/** The address of the login page, and what to enter at identity providers. */
import { queryOptions } from '@tanstack/react-query';
import { baseUrl } from './addresses.ts';
import { call } from './http.ts';
import { keyOf } from './query-key.ts';

/** The address of the login page, which may be on another host than the console. */
export const loginPageQuery = queryOptions({
  queryKey: keyOf('readAuthorizationServer', undefined),
  queryFn: async () => (await call('readAuthorizationServer')).authorization_endpoint,
  staleTime: Number.POSITIVE_INFINITY,
  initialData: `${baseUrl}/authorize`,
  initialDataUpdatedAt: 0,
});
