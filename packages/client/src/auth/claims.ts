import { objectIn } from '../errors.ts';

/** A signed-in player or developer. */
export interface User {
  /** The player's or developer's id at the identity provider. */
  readonly id: string;
  readonly role: 'end_user' | 'developer';
  readonly accountId: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

/** Returns the subject of an access token, without verifying it; null if it is not a token. */
export function userOf(token: string): User | null {
  const { sub, user_id = sub, svc_role, svc_account_id = '', email, name } = claimsOf(token);
  if (!user_id) return null;
  return { id: user_id, role: svc_role as User['role'], accountId: svc_account_id, email, name };
}

/** The claims that are strings. */
function claimsOf(token: string): Readonly<Record<string, string>> {
  try {
    const payload = atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'));
    // Not every runtime has TextDecoder.
    const text = decodeURIComponent(
      payload.replace(/./gs, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
    );
    const claims = Object.entries(objectIn(text) ?? {});
    return Object.fromEntries(claims.filter((claim): claim is [string, string] => typeof claim[1] === 'string'));
  } catch {
    return {};
  }
}
