/** Calls operations as the signed-in user. */
import { createCaller } from '@holdfast/contract/call';
import { baseUrl } from './addresses.ts';
import { followed } from './connection.ts';
import { authorizedFetch } from './session.ts';

export const { call, send } = createCaller({
  baseUrl,
  fetch: (url, init) => followed(authorizedFetch(url, { ...init, cache: 'no-store' })),
});
