/** Somebody who is signed in. */
export interface User {
  /** Id at the identity provider: the end user of a project, or the developer. */
  readonly id: string;
  readonly role: 'end_user' | 'developer';
  readonly accountId: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
}

type Claims = Readonly<Record<string, string | undefined>>;

/** Returns the subject of an access token, without verifying it; null when it is not a token. */
export function userOf(token: string): User | null {
  const { sub, user_id = sub, svc_role, svc_account_id = '', email, name } = claimsOf(token);
  if (!user_id) return null;
  return { id: user_id, role: svc_role as User['role'], accountId: svc_account_id, email, name };
}

function claimsOf(token: string): Claims {
  try {
    const payload = atob((token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(payload, (character) => character.charCodeAt(0))));
  } catch {
    return {};
  }
}
