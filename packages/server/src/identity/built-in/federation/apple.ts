/** Sign in with Apple. @see https://developer.apple.com/documentation/signinwithapplerestapi */
import { SignJWT } from 'jose/jwt/sign';
import { importPKCS8 } from 'jose/key/import';

export const appleIssuer = 'https://appleid.apple.com';
/** Apple allows six months. Each connection gets a new secret, and is kept for ten minutes. */
const secretSeconds = 3_600;

/** The id of the key that signs client secrets. */
export interface AppleKey {
  /** The Services ID. */
  readonly clientId: string;
  readonly teamId: string;
  readonly keyId: string;
}

/** Returns a client secret: a token signed with the private key (PKCS #8 in PEM). Rejects for any other kind of key. */
export async function appleClientSecret(
  { clientId, teamId, keyId }: AppleKey,
  privateKey: string,
  nowMs: number,
): Promise<string> {
  const issuedAt = Math.floor(nowMs / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(appleIssuer)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + secretSeconds)
    .sign(await importPKCS8(privateKey, 'ES256'));
}

/** Returns the name in the `user` member of Apple's form. It passes through the browser, so it may be shown but proves nothing. */
export function appleName(user: string | null): string | null {
  if (user === null || user.length > 4_096) return null;
  try {
    const { name } = JSON.parse(user) as { readonly name?: { readonly firstName?: unknown; readonly lastName?: unknown } };
    const parts = [name?.firstName, name?.lastName].filter((part) => typeof part === 'string');
    return parts.join(' ').trim() || null;
  } catch {
    return null;
  }
}
