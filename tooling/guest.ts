/** A guest's device: its key, and the assertions that it signs. */
import { generateKeyPairSync, hash, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Api, ApiAnswer } from './api.ts';

export const guestGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A guest's project and service. */
export interface GuestClient {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly scope: string;
}

/** Deviations from a valid assertion. An undefined claim is omitted. */
export interface Wrong {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly jwk?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs instead of the device's key. */
  readonly signedBy?: Device;
}

export interface Device {
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly thumbprint: string;
  /** Returns an assertion for the place with this nonce. */
  assert(place: GuestClient, nonce: string | undefined, wrong?: Wrong): string;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a device with a new key. */
export function newDevice(): Device {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const jwk = { kty, crv, x, y };
  const thumbprint = hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
  return {
    privateKey,
    jwk,
    thumbprint,
    assert({ baseUrl, clientId, scope }, nonce, { header = {}, jwk: otherJwk = {}, claims = {}, signedBy } = {}) {
      const head = { typ: 'guest+jwt', alg: 'ES256', jwk: { ...jwk, ...otherJwk }, ...header };
      const said = { iss: thumbprint, sub: thumbprint, aud: baseUrl, client_id: clientId, scope, nonce, jti: randomUUID() };
      const text = `${encode(head)}.${encode({ ...said, ...claims })}`;
      const key = signedBy?.privateKey ?? privateKey;
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    },
  };
}

/** The nonce in a response of the token endpoint. */
export function nonceOf({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const nonce = headers['auth-nonce'];
  if (typeof nonce !== 'string') throw new Error('the answer has no Auth-Nonce');
  return nonce;
}

/** Form that exchanges a device's assertion for a token. */
export const guestForm = (place: GuestClient, nonce: string | undefined, device = newDevice()) => ({
  grant_type: guestGrant,
  client_id: place.clientId,
  scope: place.scope,
  assertion: device.assert(place, nonce),
});

/** Posts a form to the token endpoint. */
export const postToken = (api: Api, form: Readonly<Record<string, string>>): Promise<ApiAnswer> =>
  api.send('POST', '/v1/auth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

/** Gets a nonce for assertions, which the token endpoint returns with any refusal. */
export const freshNonce = async (api: Api): Promise<string> =>
  nonceOf(await postToken(api, { grant_type: 'x', client_id: 'x' }));
