/** An authenticator and its browser in software: makes ES256 credentials and signs with them, correctly or with the requested faults. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';

export interface Credential {
  readonly id: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

/** Deviations from the rules. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly userHandle?: string | undefined;
  readonly isUserVerified?: boolean;
  readonly type?: string;
  /** Attestation format and statement. */
  readonly attestation?: readonly [string, Map<string, unknown>];
}

export interface Authenticator {
  create(
    options: PublicKeyCredentialCreationOptionsJSON,
    how?: Deviation,
  ): { credential: Credential; answer: RegistrationResponseJSON };
  get(options: PublicKeyCredentialRequestOptionsJSON, credential: Credential, how?: Deviation): AuthenticationResponseJSON;
}

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

/** Returns an authenticator on a page of `origin`. If it has a counter, that grows by one with each signature. */
export function newAuthenticator(origin: string, counts = true): Authenticator {
  return {
    create(options, how = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const id = randomBytes(32);
      const credential = { id: base64url(id), userHandle: options.user.id, privateKey, counter: 0 };
      const coseKey = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytesOf(x)],
        [-3, bytesOf(y)],
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(coseKey)]);
      const authData = authenticatorData(how.rpId ?? options.rp.id ?? '', 0, how.isUserVerified, attested);
      const [fmt, attStmt] = how.attestation ?? ['none', new Map()];
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', Uint8Array.from(authData)],
      ]);
      const answer: RegistrationResponseJSON = {
        ...outline(credential.id),
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, origin, how)),
          attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
          transports: ['internal', 'hybrid'],
        },
      };
      return { credential, answer };
    },
    get(options, credential, how = {}) {
      if (counts) credential.counter += 1;
      const authData = authenticatorData(how.rpId ?? options.rpId ?? '', credential.counter, how.isUserVerified);
      const clientDataJSON = clientData('webauthn.get', options.challenge, origin, how);
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, sha256(clientDataJSON)]))
        .sign(credential.privateKey);
      const userHandle = 'userHandle' in how ? how.userHandle : credential.userHandle;
      return {
        ...outline(credential.id),
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          ...(userHandle !== undefined && { userHandle }),
        },
      };
    },
  };
}

const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'));
const outline = (id: string) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {} }) as const;

function clientData(type: string, challenge: string, origin: string, how: Deviation): string {
  return JSON.stringify({ type: how.type ?? type, challenge: how.challenge ?? challenge, origin: how.origin ?? origin });
}

/** Flags: user present 1, user verified 4, attested credential data 64. */
function authenticatorData(rpId: string, counter: number, isUserVerified = true, attested?: Uint8Array): Buffer {
  const fixed = Buffer.alloc(5);
  fixed.writeUInt8(1 | (isUserVerified ? 4 : 0) | (attested ? 64 : 0));
  fixed.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), fixed, attested ?? Buffer.alloc(0)]);
}
