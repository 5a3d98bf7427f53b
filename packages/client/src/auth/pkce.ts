/** Proof Key for Code Exchange. @see RFC 7636 */
import { HoldfastError } from '../errors.ts';

/** Base64url, without padding. */
export function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Returns 256 random bits as text. */
export const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

/** Returns a key of 128 random bits; undefined if the runtime has no random values. */
export const randomKey = (): string | undefined =>
  globalThis.crypto?.getRandomValues === undefined ? undefined : base64Url(crypto.getRandomValues(new Uint8Array(16)));

/** Throws if the runtime has no WebCrypto, as on pages over plain http outside loopback. */
export function checkCrypto(): void {
  if (globalThis.crypto?.subtle !== undefined) return;
  throw new HoldfastError(
    'invalid_request',
    'cannot sign in: this needs WebCrypto, which pages have over https or on loopback',
  );
}

/** The bytes of an ASCII text. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Returns the challenge of a verifier, or of another ASCII text. */
export async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(verifier))));
}
