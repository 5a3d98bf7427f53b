/** Invitations. Their tokens are sent in request bodies only. */
import type { InvitationBody } from '@holdfast/contract';
import { ApiError, createCaller } from '@holdfast/contract/call';
import { baseUrl } from './addresses.ts';
import { signInAfter } from './session.ts';

const { call } = createCaller({ baseUrl, fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }) });

/** Returns what an invitation is for; null if it is invalid. Rejects with `ApiError`. */
export async function readInvitation(invitation: string): Promise<InvitationBody | null> {
  if (invitation === '') return null;
  return call('readInvitation', { body: { invitation } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}

/** Sends the browser to the login page, which has stored the invitation before. */
export const signInToJoin = (invitation: string): Promise<void> =>
  signInAfter(async (address) => {
    const page = address.replace('/authorize?', '/authorize/invitation?');
    const response = await fetch(page, { method: 'POST', body: new URLSearchParams({ invitation }), cache: 'no-store' });
    if (!response.ok) throw await ApiError.of(response);
    return address;
  });
