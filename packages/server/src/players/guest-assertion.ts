/**
 * A guest's assertion: a JSON Web Token signed with the device's key, which is in the header.
 *
 * Checks without look-ups or signatures come first, beginning with the length.
 *
 * @see docs/contract.md §7.14, RFC 7515 §7.1, RFC 7523 §3
 */

import { createPublicKey, hash, verify } from 'node:crypto';
import { guestAssertionBytesMax, guestJtiCharactersMax } from '@holdfast/contract';
import { isObject } from '../common/objects.ts';

/** A P-256 public key, as the members of its thumbprint. @see RFC 7638 §3.2 */
interface GuestKey {
  readonly x: string;
  readonly y: string;
}

export interface GuestAssertion {
  readonly key: GuestKey;
  /** The key's RFC 7638 thumbprint, in base64url. */
  readonly thumbprint: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The signed text, and its signature. */
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** The reason for refusing an assertion, for the client's developer. */
export class BadAssertion {
  readonly description: string;

  constructor(description: string) {
    this.description = description;
  }
}

const partsPattern = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;
/** 32 bytes in base64url. The last character's two spare bits must be 0, so each key has only one text form. */
const coordinatePattern = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Returns the parts of an assertion, before its signature is verified. */
export function parseAssertion(text: string): GuestAssertion | BadAssertion {
  // Characters equal bytes here: the pattern accepts only ASCII.
  if (text.length > guestAssertionBytesMax) {
    return new BadAssertion(`the assertion has more than ${guestAssertionBytesMax} bytes`);
  }
  const [, headerText, claimsText, signatureText] = partsPattern.exec(text) ?? [];
  const header = headerText === undefined ? undefined : parsePart(headerText);
  const claims = claimsText === undefined ? undefined : parsePart(claimsText);
  if (header === undefined || claims === undefined || signatureText === undefined) {
    return new BadAssertion('the assertion is not a JWT with a header, claims and an ES256 signature');
  }
  const key = readHeader(header);
  if (key instanceof BadAssertion) return key;
  const thumbprint = hash('sha256', `{"crv":"P-256","kty":"EC","x":"${key.x}","y":"${key.y}"}`, 'base64url');
  const signed = text.slice(0, text.length - signatureText.length - 1);
  return { key, thumbprint, claims, signed, signature: Buffer.from(signatureText, 'base64url') };
}

type Members = Readonly<Record<string, unknown>>;

function parsePart(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The header may have only these members: further members have no agreed meaning. */
function readHeader(header: Members): GuestKey | BadAssertion {
  if (header.alg !== 'ES256') return new BadAssertion('the header of the assertion does not say alg ES256');
  if (header.typ !== 'guest+jwt') return new BadAssertion('the header of the assertion does not say typ guest+jwt');
  const { jwk } = header;
  if (!isObject(jwk)) return new BadAssertion('the header of the assertion has no jwk');
  if ('d' in jwk) {
    return new BadAssertion(
      'the jwk of the assertion has the private key, which others may have seen now: make another key',
    );
  }
  const { kty, crv, x, y } = jwk;
  if (kty !== 'EC' || crv !== 'P-256' || !isCoordinate(x) || !isCoordinate(y)) {
    return new BadAssertion('the jwk of the assertion is not a public key of kty EC and crv P-256');
  }
  if (Object.keys(header).length !== 3 || Object.keys(jwk).length !== 4) {
    return new BadAssertion(
      'the header of the assertion has more than typ, alg and jwk, or its jwk more than kty, crv, x and y',
    );
  }
  return { x, y };
}

const isCoordinate = (value: unknown): value is string => typeof value === 'string' && coordinatePattern.test(value);

/** The purposes of an assertion other than playing: linking a code's identity, or merging the guest into a player. */
const purposes = ['link_code', 'merge_into'] as const;
type Purpose = (typeof purposes)[number];

/** The required claims. */
export interface ExpectedClaims {
  readonly audience: string;
  readonly clientId: string;
  readonly scope: string;
  /** The claim that states the purpose, and its required value. Undefined for playing. */
  readonly purpose?: { readonly claim: Purpose; readonly value: string } | undefined;
}

/** Returns the claims' `jti` if they meet the expectations. The caller has already checked the nonce. */
export function readJti({ claims, thumbprint }: GuestAssertion, expected: ExpectedClaims): string | BadAssertion {
  const { iss, sub, aud, client_id: clientId, scope, jti } = claims;
  if (iss !== thumbprint || sub !== thumbprint) {
    return new BadAssertion('iss and sub of the assertion are not the RFC 7638 thumbprint of its key');
  }
  if (aud !== expected.audience) return new BadAssertion('aud of the assertion is not the base URL of this service');
  if (clientId !== expected.clientId)
    return new BadAssertion('client_id of the assertion differs from that of the request');
  if (scope !== expected.scope) return new BadAssertion('scope of the assertion differs from that of the request');
  const fault = purposeFault(claims, expected.purpose);
  if (fault !== undefined) return fault;
  if (typeof jti !== 'string' || jti === '' || jti.length > guestJtiCharactersMax) {
    return new BadAssertion(`jti of the assertion must be a text of 1 to ${guestJtiCharactersMax} characters`);
  }
  return jti;
}

function purposeFault(claims: Members, purpose: ExpectedClaims['purpose']): BadAssertion | undefined {
  const isForOther = purposes.some((claim) => claim in claims && claim !== purpose?.claim);
  if (isForOther) return new BadAssertion('the assertion was made to link or merge a player, and is valid only for that');
  if (purpose === undefined || claims[purpose.claim] === purpose.value) return undefined;
  return new BadAssertion(
    purpose.claim === 'link_code'
      ? 'link_code of the assertion is not the base64url of the SHA-256 of the code'
      : 'merge_into of the assertion is not the user_id of the access token',
  );
}

/** Returns whether the key signed the assertion; false also for coordinates that are not on the curve. Verifies on another thread. */
export function isSignedByKey({ key, signed, signature }: GuestAssertion): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const publicKey = keyObjectOf(key);
    if (publicKey === undefined) {
      resolve(false);
      return;
    }
    const how = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    verify('sha256', Buffer.from(signed), how, signature, (fault, isSigned) =>
      fault === null ? resolve(isSigned) : reject(fault),
    );
  });
}

function keyObjectOf({ x, y }: GuestKey): ReturnType<typeof createPublicKey> | undefined {
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
