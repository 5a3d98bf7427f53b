/** The user of a request. It is decided when the call is made, and no other user's token is sent. */
import { HoldfastError } from '../errors.ts';
import { type Auth, identify } from './auth.ts';
import { userOf } from './claims.ts';

/** The id of a user; null for API keys and for tokens that name nobody. */
export type Owner = string | null;

/** Returns the user that a call made now is for. Rejects with `signed_out` if nobody is signed in. */
export async function ownerOf(auth: Auth, signal?: AbortSignal): Promise<Owner> {
  if (auth[identify] !== undefined) return auth[identify]();
  if (auth.user === null) await auth.ready;
  return auth.user === null ? ownerIn(await auth.authorization(signal)) : auth.user.id;
}

/** Returns the header for a user's request. Rejects with `signed_out` if somebody else or nobody is signed in. */
export async function authorizationFor(auth: Auth, owner: Owner, signal?: AbortSignal): Promise<string | undefined> {
  const authorization = await auth.authorization(signal);
  if (ownerIn(authorization) !== owner) throw signedOut();
  return authorization;
}

/** Whether a user is still signed in, as far as `auth` knows. */
export const isSignedIn = (auth: Auth, owner: Owner): boolean => (auth.user?.id ?? null) === owner;

/** The failure of a call whose user is no longer signed in. */
export const signedOut = (): HoldfastError =>
  new HoldfastError('signed_out', 'who made the call is not signed in any more');

const scheme = 'Bearer ';

const ownerIn = (authorization: string | undefined): Owner =>
  authorization?.startsWith(scheme) ? (userOf(authorization.slice(scheme.length))?.id ?? null) : null;
