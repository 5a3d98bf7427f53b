/** Invitations. Their tokens stand in bodies of requests only. */
import type { InvitationBody } from '@holdfast/contract';
import { baseUrl } from './addresses.ts';
import { ApiError } from './http.ts';
import { signInAfter } from './session.ts';

/** Returns what an invitation leads to; undefined when it is no good. Rejects with `ApiError`. */
export async function readInvitation(token: string): Promise<InvitationBody | undefined> {
  const response = await post(`${baseUrl}/v1/auth/invitation`, token);
  return response.status === 404 ? undefined : ((await demand(response)).json() as Promise<InvitationBody>);
}

/** Leads the browser to the login page, which was told the invitation before. */
export const signInToJoin = (token: string): Promise<void> =>
  signInAfter(async (address) => {
    await demand(await post(address.replace('/authorize?', '/authorize/invitation?'), token));
  });

const post = (address: string, invitation: string): Promise<Response> =>
  fetch(address, { method: 'POST', body: new URLSearchParams({ invitation }), cache: 'no-store' });

async function demand(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw new ApiError(response.status, await response.json().catch(() => ({})));
}
